// A small neural network that corrects the sum of the weights: what patterns of men cannot say.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
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
    static constexpr int kinds = 4;  // our men, their men, our kings, their kings

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
    static constexpr int first_one = 1016;
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
  public:
    explicit Network(NetworkNumbers const& numbers);

    // What it adds to the score of the side to move. `inputs` are distinct, one for each piece.
    Score correction(std::uint16_t const* inputs, std::size_t pieces) const;
    // The same without vector instructions of this processor.
    Score plain_correction(std::uint16_t const* inputs, std::size_t pieces) const;

  private:
    static constexpr std::size_t first = NetworkShape::first;
    static constexpr std::size_t second = NetworkShape::second;

    struct alignas(64) Column {
        std::array<std::int16_t, first> values;
    };
    // Four weights of each neuron together, as vector instructions want them.
    struct alignas(64) Phase {
        std::array<std::array<std::array<std::int8_t, 4>, second>, first / 4> weights;
        std::array<std::int32_t, second> biases;
        std::array<std::int32_t, second> last_weights;
        std::int32_t last_bias;
    };

    Phase const& phase_of(std::size_t pieces) const { return phases_[number_of_phase_[pieces]]; }
    Score output(std::int32_t const* sums, Phase const& phase) const;
    Score fast_correction(std::uint16_t const* inputs, std::size_t pieces) const;

    std::vector<Column> columns_;
    Column biases_;
    std::array<Phase, NetworkShape::phases> phases_;
    std::array<std::uint8_t, 129> number_of_phase_{};  // by the number of pieces
    std::int32_t scale_;
    bool fast_;
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
        auto const& numbers = numbers_[position.rules.template rises<Us>()];
        std::size_t count = 0;
        int base = 0;
        auto const theirs = position.theirs - position.kings;
        for (auto const set :
             {position.own_men(), theirs, position.own_kings(), position.theirs & position.kings}) {
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

}  // namespace crownhead::engine
