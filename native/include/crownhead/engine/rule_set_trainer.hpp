// The trainer of one rule set: training data from self-play, weights from logistic regression.
#pragma once

#include "crownhead/engine/logistic_regression.hpp"
#include "crownhead/engine/self_play.hpp"
#include "crownhead/engine/table_labels.hpp"

namespace crownhead::engine {

template <Rules R>
class RuleSetTrainer final : public Trainer {
  public:
    std::size_t features() const override { return Features<R>::count; }
    std::size_t sample_size() const override { return SampleBytes<R>::size; }

    std::string play(std::vector<State> const& starts, std::vector<TaperedWeight> const& weights,
                     SelfPlayOptions const& options, std::function<bool()> const& goes_on) override {
        return SelfPlay<R>{starts, weights, options}.run(goes_on);
    }

    FitResult fit(std::vector<std::string_view> const& parts, FitOptions const& options) override {
        std::vector<Sample<R>> training_set;
        std::vector<Sample<R>> validation_set;
        for (auto const part : parts) {
            // Games lie one after another: those at the end share no game with the rest, but for one.
            auto const held_back = part.size() / SampleBytes<R>::size / validation_share;
            auto const split = part.size() - held_back * SampleBytes<R>::size;
            SampleBytes<R>::read(part.substr(0, split), training_set);
            SampleBytes<R>::read(part.substr(split), validation_set);
        }
        TableLabeller<R> const labeller{options.table_labels};
        std::size_t relabelled = 0;
        for (auto* samples : {&training_set, &validation_set}) {
            for (auto& sample : *samples) { relabelled += labeller.relabel(sample) ? 1U : 0U; }
        }
        auto result = LogisticRegression<R>{options}.fit(training_set, validation_set);
        result.relabelled = relabelled;
        return result;
    }

  private:
    static constexpr std::size_t validation_share = 16;  // one position in so many is held back
};

}  // namespace crownhead::engine
