// Networks: both paths give the same, and learning goes down the slope of the loss.
#include <cmath>
#include <iterator>

#include "crownhead/engine/network_gradient.hpp"
#include "testing.hpp"

namespace {

using namespace crownhead::engine;
using crownhead::testing::expect;
using crownhead::testing::expect_equal;

constexpr int squares = 32;

FloatNetwork random_network(unsigned seed) {
    std::mt19937_64 rng{seed};
    FloatNetwork network{NetworkShape::inputs(squares)};
    network.start(rng);
    return network;
}

// A position of so many pieces: distinct inputs.
std::vector<std::uint16_t> random_inputs(std::mt19937_64& rng, std::size_t pieces) {
    std::vector<std::uint16_t> all(NetworkShape::inputs(squares));
    for (std::size_t i = 0; i < all.size(); ++i) { all[i] = static_cast<std::uint16_t>(i); }
    std::ranges::shuffle(all, rng);
    all.resize(pieces);
    return all;
}

// What the network adds to a position of these inputs, asked about no other before.
Score correction(Network const& network, std::vector<std::uint16_t> const& inputs) {
    auto sums = network.of_no_pieces();
    return network.correction(sums, {inputs, {}}, inputs.size());
}

void give_the_same_by_both_paths() {
    std::mt19937_64 rng{1};
    for (unsigned seed = 0; seed < 5; ++seed) {
        Network const network{random_network(seed).rounded(0.01F)};
        for (std::size_t pieces = 0; pieces <= 40; ++pieces) {
            auto const inputs = random_inputs(rng, pieces);
            auto sums = network.of_no_pieces();
            auto plain_sums = sums;
            expect_equal(network.correction(sums, {inputs, {}}, pieces),
                         network.plain_correction(plain_sums, {inputs, {}}, pieces));
            expect(sums.values == plain_sums.values);
        }
    }
}

// One position after the other gives what each gives alone.
void keep_up_with_changes() {
    std::mt19937_64 rng{9};
    Network const network{random_network(2).rounded(0.01F)};
    auto sums = network.of_no_pieces();
    auto plain_sums = sums;
    std::vector<std::uint16_t> last;
    for (int i = 0; i < 200; ++i) {
        auto next = random_inputs(rng, static_cast<std::size_t>(i % 41));
        std::ranges::sort(next);
        std::vector<std::uint16_t> added;
        std::vector<std::uint16_t> removed;
        std::ranges::set_difference(next, last, std::back_inserter(added));
        std::ranges::set_difference(last, next, std::back_inserter(removed));
        auto const alone = correction(network, next);
        expect_equal(network.correction(sums, {added, removed}, next.size()), alone);
        expect_equal(network.plain_correction(plain_sums, {added, removed}, next.size()), alone);
        last = next;
    }
}

void round_to_what_was_learned() {
    constexpr float slope = 0.01F;
    auto learned = random_network(7);
    Network const network{learned.rounded(slope)};
    std::mt19937_64 rng{2};
    Activations activations;
    for (std::size_t pieces = 1; pieces <= 24; ++pieces) {
        auto const inputs = random_inputs(rng, pieces);
        float const exact = learned.output(inputs.data(), pieces, activations) / slope;
        expect(std::abs(float(correction(network, inputs)) - exact) < 8);
    }
}

void read_what_was_written() {
    auto const numbers = random_network(3).rounded(0.01F);
    auto const bytes = numbers.bytes();
    expect_equal(bytes.size(), NetworkNumbers::size(squares));
    expect(NetworkNumbers::read(bytes, squares).bytes() == bytes);
}

void learn_what_is_asked() {
    auto network = random_network(4);
    NetworkGradient gradient{network.size()};
    Adam adam;
    Activations activations;
    std::mt19937_64 rng{5};
    auto const won = random_inputs(rng, 10);
    auto const lost = random_inputs(rng, 10);
    for (int i = 0; i < 200; ++i) {
        float const too_low = network.output(won.data(), won.size(), activations) - 1;
        gradient.add(network, won.data(), won.size(), activations, too_low);
        float const too_high = network.output(lost.data(), lost.size(), activations) + 1;
        gradient.add(network, lost.data(), lost.size(), activations, too_high);
        adam.step(network, gradient, 0.003F, 2);
    }
    expect(std::abs(network.output(won.data(), won.size(), activations) - 1) < 0.1F);
    expect(std::abs(network.output(lost.data(), lost.size(), activations) + 1) < 0.1F);
}

// The derivative by a number of each kind, against the difference quotient.
void know_the_slope() {
    auto network = random_network(6);
    std::mt19937_64 rng{8};
    auto const inputs = random_inputs(rng, 12);
    Activations activations;
    network.output(inputs.data(), inputs.size(), activations);
    NetworkGradient gradient{network.size()};
    gradient.add(network, inputs.data(), inputs.size(), activations, 1);
    auto const phase = NetworkShape::phase(inputs.size(), NetworkShape::inputs(squares));
    for (float* number :
         {network.column(inputs[3]) + 5, network.biases() + 9, network.weights(phase, 3) + 20,
          network.second_biases(phase) + 2, network.last_weights(phase) + 1, &network.last_bias(phase)}) {
        constexpr float little = 1e-3F;
        float const before = *number;
        *number = before + little;
        float const above = network.output(inputs.data(), inputs.size(), activations);
        *number = before - little;
        float const below = network.output(inputs.data(), inputs.size(), activations);
        *number = before;
        auto const at = static_cast<std::size_t>(number - network.values().data());
        expect(std::abs((above - below) / (2 * little) - gradient.sums()[at]) < 0.01F);
    }
}

}  // namespace

int main() {
    return crownhead::testing::run({
        {"Both paths give the same", give_the_same_by_both_paths},
        {"Sums keep up with changes", keep_up_with_changes},
        {"A network is rounded to what was learned", round_to_what_was_learned},
        {"Numbers come back as they were written", read_what_was_written},
        {"A network learns what is asked", learn_what_is_asked},
        {"The gradient is the slope of the output", know_the_slope},
    });
}
