// What the engine can do with the positions of one rule set: think about them, and learn from games.
#pragma once

#include "crownhead/engine/fitting.hpp"
#include "crownhead/engine/proof.hpp"
#include "crownhead/engine/self_play.hpp"

namespace crownhead::engine {

template <Rules R>
class RuleSetLesson final : public Lesson {
  public:
    std::size_t features() const override { return Features<R>::count; }
    std::size_t sample_size() const override { return SampleBytes<R>::size; }

    std::string play(std::vector<State> const& starts, std::vector<Worths> const& weights,
                     PlayOptions const& options, std::function<bool()> const& goes_on) override {
        return SelfPlay<R>{starts, weights, options}.run(goes_on);
    }

    Fitted fit(std::vector<std::string_view> const& parts, FitOptions const& options) override {
        std::vector<Sample<R>> samples;
        std::vector<Sample<R>> kept;
        for (auto const part : parts) {
            // Games lie one after another: those at the end share no game with the rest, but for one.
            auto const held_back = part.size() / SampleBytes<R>::size / kept_share * SampleBytes<R>::size;
            SampleBytes<R>::read(part.substr(0, part.size() - held_back), samples);
            SampleBytes<R>::read(part.substr(part.size() - held_back), kept);
        }
        Proof<R> const proof{options.evidence};
        std::size_t tabled = 0;
        for (auto* some : {&samples, &kept}) {
            for (auto& sample : *some) { tabled += proof.correct(sample) ? 1U : 0U; }
        }
        auto fitted = Fitting<R>{options}.fit(samples, kept);
        fitted.tabled = tabled;
        return fitted;
    }

  private:
    static constexpr std::size_t kept_share =
        16;  // one position in so many is not learned from, but tested with
};

template <Rules R>
inline constexpr Mind mind{
    Features<R>::count,
    [](std::size_t megabytes, std::vector<Worths> weights) -> std::unique_ptr<Thinker> {
        return std::make_unique<RuleSetThinker<R>>(megabytes, std::move(weights));
    },
    []() -> std::unique_ptr<Lesson> { return std::make_unique<RuleSetLesson<R>>(); },
};

}  // namespace crownhead::engine
