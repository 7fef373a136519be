// A small neural network that corrects the sum of the weights: what patterns of men cannot say.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crownhead/engine/score.hpp"
#include "crownhead/position.hpp"

namespace crownhead::engine {

// The sizes of every network. An input is a man or a king of ours or theirs on a square, as the side to move
// sees it; the first layer is a sum of columns, one for each piece. The layers behind it are others in each
// phase of the game, by the number of pieces, up to three on four squares: as many as draughts begin with.
struct NetworkShape {
    static constexpr std::size_t first = 128;  // neurons of the first layer
    static constexpr std::size_t second = 16;
    static constexpr std::size_t phases = 8;
    static constexpr int first_shift = 3;  // from the sums of the first layer to its outputs
    static constexpr int kinds = 4;        // our men, their men, our kings, their kings

    static constexpr std::size_t inputs(int squares) { return static_cast<std::size_t>(kinds * squares); }
    static constexpr std::size_t full_board(std::size_t inputs) { return inputs / kinds * 3 / 4; }
    static constexpr std::size_t phase(std::size_t pieces, std::size_t inputs) {
        return std::min((std::max<std::size_t>(pieces, 1) - 1) * phases / full_board(inputs), phases - 1);
    }
};

// The numbers of a network as a file holds them, low byte first: columns and biases of the first layer (16
// bits each), for each phase weights (8) and biases (32) of the second, weights (16) and bias (32) of the
// last, and the scale of its output (32).
//
// Fixed point: the first layer counts in 1016ths, its outputs go from 0 to 127, weights of the second are
// 64ths, those of the last 1024ths.
struct NetworkNumbers {
    static constexpr int first_one = 1016;  // 127 << first_shift
    static constexpr int second_one = 127 * 64;
    static constexpr int weight_one = 64;
    static constexpr int last_one = 1024;

    struct Phase {
        std::array<std::array<std::int8_t, NetworkShape::first>, NetworkShape::second> weights;
        std::array<std::int32_t, NetworkShape::second> biases;
        std::array<std::int16_t, NetworkShape::second> last_weights;
        std::int32_t last_bias;
    };
    using Column = std::array<std::int16_t, NetworkShape::first>;

    std::vector<Column> columns;
    Column biases;
    std::array<Phase, NetworkShape::phases> phases;
    std::int32_t scale;  // hundredths of a man in 2 ** 32 of the output

    static std::size_t size(int squares);
    static NetworkNumbers read(std::string_view bytes, int squares);  // of that size
    std::string bytes() const;
};

// A network ready to be asked. It adds whole numbers, so that every processor gives the same score.
class Network {
    static constexpr std::size_t first = NetworkShape::first;
    static constexpr std::size_t second = NetworkShape::second;

  public:
    // The sums of the first layer for some position.
    struct alignas(64) Sums {
        std::array<std::int16_t, first> values;
    };
    // The inputs that a position has and another has not, and the other way round.
    struct Changes {
        std::span<std::uint16_t const> added;
        std::span<std::uint16_t const> removed;
    };

    explicit Network(NetworkNumbers const& numbers);

    // The sums of an empty board.
    Sums const& of_no_pieces() const { return biases_; }
    // Brings the sums up to date. What the network then adds to the score of the side to move, which sees so
    // many pieces, one for each input.
    Score correction(Sums& sums, Changes const& changes, std::size_t pieces) const {
        return has_vectors_ ? vector_correction(sums, changes, pieces)
                            : plain_correction(sums, changes, pieces);
    }
    // The same without vector instructions.
    Score plain_correction(Sums& sums, Changes const& changes, std::size_t pieces) const;

  private:
    // So many weights of each neuron together, as vector instructions want them.
#if defined(__wasm_simd128__)
    static constexpr std::size_t together = 2;
#else
    static constexpr std::size_t together = 4;
#endif
    struct alignas(64) Phase {
        std::array<std::array<std::array<std::int8_t, together>, second>, first / together> weights;
        std::array<std::int32_t, second> biases;
        std::array<std::int32_t, second> last_weights;
        std::int32_t last_bias;
    };

    Phase const& phase_of(std::size_t pieces) const { return phases_[number_of_phase_[pieces]]; }
    Score output(std::int32_t const* sums, Phase const& phase) const;
    Score vector_correction(Sums& sums, Changes const& changes, std::size_t pieces) const;
    static bool can_use_vectors();  // on this processor

    std::vector<Sums> columns_;  // what an input adds
    Sums biases_;
    std::array<Phase, NetworkShape::phases> phases_;
    std::array<std::uint8_t, 129> number_of_phase_{};  // by the number of pieces
    std::int32_t scale_;
    bool has_vectors_ = can_use_vectors();
};

// The inputs of positions.
template <class R>
class NetworkInputs {
  public:
    using List = std::array<std::uint16_t, R::most_squares>;

    explicit NetworkInputs(R rules) : squares_{rules.board().squares} {
        for (bool rises : {false, true}) {
            for (int number = 1; number <= squares_; ++number) {
                auto const seen = rises ? number - 1 : squares_ - number;
                numbers_[rises][index(rules.board().square(static_cast<std::uint8_t>(number)))] =
                    static_cast<std::uint16_t>(seen);
            }
        }
    }

    // Fills the list; how many there are.
    template <Colour Us>
    std::size_t list(Position<R> const& position, List& list) const {
        return this->template list<Us>(position.rules, kinds_of(position), list);
    }

    // Our men, their men, our kings, their kings.
    using Kinds = std::array<typename R::Set, NetworkShape::kinds>;

    static Kinds kinds_of(Position<R> const& position) {
        return {position.own_men(), position.theirs - position.kings, position.own_kings(),
                position.theirs & position.kings};
    }

    template <Colour Us>
    std::size_t list(R const& rules, Kinds const& kinds, List& list) const {
        auto const& numbers = numbers_[rules.template rises<Us>()];
        std::size_t count = 0;
        int base = 0;
        for (auto const set : kinds) {
            for (auto one : set) {
                list[count++] = static_cast<std::uint16_t>(base + numbers[index(one.first())]);
            }
            base += squares_;
        }
        return count;
    }

  private:
    static constexpr std::size_t bits = 128;

    int squares_;
    std::array<std::array<std::uint16_t, bits>, 2> numbers_{};  // by whether the side to move rises
};

// Asks a network about one position after the other. A search asks about positions that have most pieces in
// common, so that a few changes to the sums of the last one with the same side to move are enough.
template <class R>
class NetworkAsker {
  public:
    template <Colour Us>
    Score correction(Network const& network, NetworkInputs<R> const& inputs, Position<R> const& position) {
        auto const now = NetworkInputs<R>::kinds_of(position);
        auto const pieces = static_cast<std::size_t>(position.occupied().count());
        auto& last = last_[Us == Colour::white];
        if (!last.is_known || number_of_changes(last.kinds, now) > pieces) {
            last = {{}, network.of_no_pieces(), true};
        }
        typename NetworkInputs<R>::List added;
        typename NetworkInputs<R>::List removed;
        auto const count_added = inputs.template list<Us>(position.rules, without(now, last.kinds), added);
        auto const count_removed =
            inputs.template list<Us>(position.rules, without(last.kinds, now), removed);
        last.kinds = now;
        return network.correction(last.sums, {{added.data(), count_added}, {removed.data(), count_removed}},
                                  pieces);
    }

  private:
    using Kinds = typename NetworkInputs<R>::Kinds;

    struct Known {
        Kinds kinds{};
        Network::Sums sums;
        bool is_known = false;
    };

    static std::size_t number_of_changes(Kinds const& before, Kinds const& after) {
        int count = 0;
        for (std::size_t i = 0; i < before.size(); ++i) { count += (before[i] ^ after[i]).count(); }
        return static_cast<std::size_t>(count);
    }

    static Kinds without(Kinds const& kinds, Kinds const& others) {
        Kinds rest;
        for (std::size_t i = 0; i < kinds.size(); ++i) { rest[i] = kinds[i] - others[i]; }
        return rest;
    }

    std::array<Known, 2> last_;  // by the side to move
};

}  // namespace crownhead::engine
