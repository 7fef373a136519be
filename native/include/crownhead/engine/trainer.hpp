// Training as other code meets it: options of self-play and of the fit, and `Trainer`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crownhead/engine/searcher.hpp"

namespace crownhead::engine {

// Endgame tables that label training data with what they prove.
struct TableLabels {
    endgame::Tables const* tables = nullptr;  // of the same rules, or none
    // By the number of pieces on the board: the plies within which no draw rule can overtake a win; nothing
    // where none ever can, and for more pieces than there are numbers.
    std::vector<std::optional<int>> within{};
};

struct SelfPlayOptions {
    int games = 0;
    std::uint64_t nodes = 512;  // for a move
    int random_plies = 8;       // at most, after the start
    int exploration = 0;        // percent of the moves behind them that are random, too
    int drawn_after = 50;       // plies without progress
    std::uint64_t seed = 0;
    int threads = 1;
    bool stuck_wins = false;
    TableLabels table_labels{};
};

struct FitOptions {
    int epochs = 8;
    double learning_rate = 0.2;  // of the first steps, in log odds
    // The mean of the prior, and where the fit begins: a weight for each feature. None: the weights that give
    // the material evaluation.
    std::vector<TaperedWeight> prior{};
    // Its standard deviation: by so many hundredths of a man the weight of a pattern is expected to differ.
    double prior_deviation = 20;
    double result_weight = 0.1;  // of game results in the target; the rest is the score of the search
    std::uint64_t seed = 0;
    bool stuck_wins = false;
    TableLabels table_labels{};
};

// Losses are mean cross-entropies of the results of games; lower is better.
struct FitResult {
    std::vector<TaperedWeight> weights;
    std::size_t positions = 0;   // in the training set
    std::size_t relabelled = 0;  // of all, those whose result comes from endgame tables
    double training_loss = 0;    // during the last epoch
    double validation_loss = 0;  // of positions held back
    double material_loss = 0;    // of the same, by the material evaluation
};

// Of a network beside weights, which stay as they are.
struct NetworkFitOptions {
    Weights weights{};  // without a network
    int epochs = 12;
    double learning_rate = 0.002;  // of the first steps
    double result_weight = 0.1;    // as in the fit of the weights
    std::uint64_t seed = 0;
    bool stuck_wins = false;
    TableLabels table_labels{};
};

// Losses are mean cross-entropies of the targets, of positions held back.
struct NetworkFitResult {
    std::string network;  // its numbers, as bytes
    std::size_t positions = 0;
    double loss = 0;
    double loss_without = 0;  // of the weights alone
};

class Trainer {
  public:
    virtual ~Trainer() = default;
    virtual std::size_t sample_size() const = 0;  // in bytes
    // Plays from the given starts in turn; the quiet positions of the games, as bytes. A game ends where its
    // result is proven. `goes_on` is called now and then; false stops the games.
    virtual std::string play(std::vector<State> const& starts, Weights const& weights,
                             SelfPlayOptions const& options, std::function<bool()> const& goes_on) = 0;
    // Weights fitted to the training data of several rounds, which endgame tables relabel where they can.
    virtual FitResult fit(std::vector<std::string_view> const& parts, FitOptions const& options) = 0;
    // The same for a network.
    virtual NetworkFitResult fit_network(std::vector<std::string_view> const& parts,
                                         NetworkFitOptions const& options) = 0;
};

using MakeSearcher = std::function<std::unique_ptr<Searcher>(std::size_t megabytes, Weights weights)>;

// For `Generic` rules, each size of word in an object file of its own. The games are played by the searchers
// that `make_searcher` makes.
template <class R>
std::unique_ptr<Trainer> make_trainer(R rules, MakeSearcher make_searcher);

}  // namespace crownhead::engine
