// The trainer of one rule set: training data from self-play, weights from logistic regression.
#pragma once

#include "crownhead/engine/logistic_regression.hpp"
#include "crownhead/engine/network_fit.hpp"
#include "crownhead/engine/self_play.hpp"
#include "crownhead/engine/table_labels.hpp"

namespace crownhead::engine {

template <class R>
class RuleSetTrainer final : public Trainer {
  public:
    RuleSetTrainer(R rules, MakeSearcher make_searcher)
        : rules_{rules}, sample_bytes_{rules}, make_searcher_{std::move(make_searcher)} {}

    std::size_t sample_size() const override { return sample_bytes_.size(); }

    std::string play(std::vector<State> const& starts, Weights const& weights, SelfPlayOptions const& options,
                     std::function<bool()> const& goes_on) override {
        return SelfPlay<R>{rules_, make_searcher_, starts, weights, options}.run(goes_on);
    }

    FitResult fit(std::vector<std::string_view> const& parts, FitOptions const& options) override {
        auto const data = read(parts, options.table_labels);
        auto result = LogisticRegression<R>{rules_, options}.fit(data.training_set, data.validation_set);
        result.relabelled = data.relabelled;
        return result;
    }

    NetworkFitResult fit_network(std::vector<std::string_view> const& parts,
                                 NetworkFitOptions const& options) override {
        auto const data = read(parts, options.table_labels);
        return NetworkFit<R>{rules_, options}.fit(data.training_set, data.validation_set);
    }

  private:
    static constexpr std::size_t validation_share = 16;  // one position in so many is held back

    struct Data {
        std::vector<Sample<R>> training_set;
        std::vector<Sample<R>> validation_set;
        std::size_t relabelled = 0;
    };

    Data read(std::vector<std::string_view> const& parts, TableLabels const& table_labels) const {
        Data data;
        for (auto const part : parts) {
            // Games lie one after another: those at the end share no game with the rest, but for one.
            auto const held_back = part.size() / sample_size() / validation_share;
            auto const split = part.size() - held_back * sample_size();
            sample_bytes_.read(part.substr(0, split), data.training_set);
            sample_bytes_.read(part.substr(split), data.validation_set);
        }
        TableLabeller<R> const labeller{table_labels};
        for (auto* samples : {&data.training_set, &data.validation_set}) {
            for (auto& sample : *samples) { data.relabelled += labeller.relabel(sample) ? 1U : 0U; }
        }
        return data;
    }

    R rules_;
    SampleBytes<R> sample_bytes_;
    MakeSearcher make_searcher_;
};

template <class R>
std::unique_ptr<Trainer> make_trainer(R rules, MakeSearcher make_searcher) {
    return std::make_unique<RuleSetTrainer<R>>(rules, std::move(make_searcher));
}

}  // namespace crownhead::engine
