// The buffer, and the variant that an instance of the module plays.
#include <algorithm>

#include "crownhead/arrangement.hpp"
#include "module.hpp"

namespace crownhead::wasm {
namespace {

std::unique_ptr<Played>& slot() {
    static std::unique_ptr<Played> one;
    return one;
}

bool read_flag(Numbers& numbers) { return numbers.next(1) == 1; }

template <class Enumeration>
Enumeration read_one_of(Numbers& numbers, Enumeration last) {
    return static_cast<Enumeration>(numbers.next(static_cast<int>(last)));
}

Directions read_directions(Numbers& numbers) { return static_cast<Directions>(numbers.next(0xFF)); }

// In the order of `Rules`, as `crownhead.rules.kernel_numbers` writes them.
Rules read_rules(Numbers& numbers) {
    constexpr int highest = 1000;  // what is too large is told with both sides
    Rules rules{};
    rules.board.width = numbers.next(highest);
    rules.board.height = numbers.next(highest);
    rules.board.grid = read_one_of(numbers, Grid::lines);
    rules.board.indented = read_flag(numbers);
    rules.board.white_lowers = read_flag(numbers);
    rules.flying_king = read_flag(numbers);
    rules.man_steps = read_directions(numbers);
    rules.man_captures = read_directions(numbers);
    rules.man_goes_on = read_directions(numbers);
    rules.king_steps = read_directions(numbers);
    rules.king_captures = read_directions(numbers);
    rules.man_captures_king = read_flag(numbers);
    rules.promotion = read_one_of(numbers, Promotion::carry_on);
    for (auto& component : rules.priority) { component = read_one_of(numbers, Priority::kings_first); }
    rules.removal = read_one_of(numbers, Removal::at_once);
    rules.landing = read_one_of(numbers, Landing::behind_last_king);
    rules.may_reverse = read_flag(numbers);
    rules.crowning = read_one_of(numbers, Crowning::never);
    rules.marked = read_one_of(numbers, Marked::parachutist);
    rules.one_way = read_flag(numbers);
    rules.lines_step = read_flag(numbers);
    rules.rests_on_far_row = read_flag(numbers);
    rules.jumps_only = read_flag(numbers);
    rules.king_run = numbers.next(0xFF);
    rules.first_king_wins = read_flag(numbers);
    return rules;
}

std::vector<std::uint8_t> read_squares(Numbers& numbers) {
    std::vector<std::uint8_t> squares(static_cast<std::size_t>(numbers.next(128)));
    for (auto& square : squares) { square = static_cast<std::uint8_t>(numbers.next(128)); }
    return squares;
}

VariantRow read_row(Numbers& numbers) {
    VariantRow row;
    row.rules = read_rules(numbers);
    row.objective = read_one_of(numbers, Objective::mover_wins);
    row.first = read_one_of(numbers, Colour::white);
    row.black = read_squares(numbers);
    row.white = read_squares(numbers);
    row.marked = read_squares(numbers);
    auto const low = static_cast<std::uint32_t>(numbers.next());
    auto const high = static_cast<std::uint32_t>(numbers.next());
    row.fingerprint = std::uint64_t{high} << 32 | low;
    return row;
}

std::vector<DrawForce> read_forces(Numbers& numbers) {
    std::vector<DrawForce> forces(static_cast<std::size_t>(numbers.next(1000)));
    for (auto& force : forces) {
        force.kings = numbers.next(128);
        force.men = numbers.next(128);
    }
    return forces;
}

constexpr int most_plies = 100'000;

// The squares of a road are marked by number: which bits those are, the laws say.
std::vector<CountedDraw> read_draws(Numbers& numbers) {
    std::vector<CountedDraw> draws(static_cast<std::size_t>(numbers.next(1000)));
    for (auto& rule : draws) {
        rule.kind = read_one_of(numbers, DrawKind::balance);
        rule.automatic = read_flag(numbers);
        rule.enough = numbers.next(most_plies);
        rule.resets = static_cast<unsigned>(numbers.next(7));
        rule.strong = read_forces(numbers);
        rule.weak = read_forces(numbers);
        rule.fewest = numbers.next(128);
        rule.most = numbers.next(128);
        rule.on_road = read_flag(numbers);
        rule.road = 0;
        for (auto const square : read_squares(numbers)) {
            if (square > 0) { rule.road |= Wide{1} << (square - 1); }
        }
    }
    return draws;
}

}  // namespace

std::vector<std::uint8_t>& buffer() {
    static std::vector<std::uint8_t> bytes(4096);
    return bytes;
}

int Numbers::next(int highest) {
    int const number = next();
    if (number < 0 || number > highest) {
        fail(Failure::rules,
             "expected a number from 0 to " + std::to_string(highest) + ", got " + std::to_string(number));
    }
    return number;
}

Played::Played(VariantRow known, std::vector<CountedDraw> rules_of_draws)
    : row{std::move(known)},
      tables{row.rules},
      specialisation{find_specialisation(row.rules)},
      draws{std::move(rules_of_draws)} {
    laws = specialisation != nullptr
               ? specialisation->make_laws(tables.wide())
               : tables.with_rules([&](auto rules) { return make_laws(tables.wide(), rules); });
    check_start(row, *laws);
    for (auto& rule : draws) {
        Wide road = 0;
        for (int number = 1; number <= laws->squares(); ++number) {
            if ((rule.road >> (number - 1) & 1) != 0) { road |= laws->bit(number); }
        }
        rule.road = road;
    }
}

Played& played() {
    if (!slot()) { fail(Failure::rules, "expected a variant, got none"); }
    return *slot();
}

std::size_t size_of_position() {
    return head_of_position + static_cast<std::size_t>(played().laws->squares());
}

State read_position(std::uint8_t const* bytes) {
    auto const& laws = *played().laws;
    auto const require = [](std::string const& fault) {
        if (!fault.empty()) { fail(Failure::rules, fault); }
    };
    State state{};
    state.turn = bytes[0] == 0 ? Colour::black : Colour::white;
    for (int number = 1; number <= laws.squares(); ++number) {
        int const piece = bytes[head_of_position + static_cast<std::size_t>(number) - 1];
        if (piece == 0) { continue; }
        if (piece > 6) { fail(Failure::rules, "expected a piece from 0 to 6, got " + std::to_string(piece)); }
        auto const colour = piece > 3 ? Colour::white : Colour::black;
        auto const kind = static_cast<Kind>((piece - 1) % 3);
        require(fault_of(laws, state, colour, kind, number));
        place(laws, state, colour, kind, number);
    }
    require(fault_of_run(laws, state, Colour::black, bytes[1], bytes[2]));
    place_run(laws, state, Colour::black, bytes[1], bytes[2]);
    require(fault_of_run(laws, state, Colour::white, bytes[3], bytes[4]));
    place_run(laws, state, Colour::white, bytes[3], bytes[4]);
    return state;
}

void write_position(State const& state, std::uint8_t* bytes) {
    auto const& laws = *played().laws;
    bool const black_moves = state.turn == Colour::black;
    auto const run = [&](Wide king, int steps, std::uint8_t* at) {
        at[0] = king == 0 ? std::uint8_t{0} : laws.number(lowest_bit(king));
        at[1] = king == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(steps);
    };
    bytes[0] = black_moves ? 0 : 1;
    run(black_moves ? state.own_run : state.their_run, black_moves ? state.own_steps : state.their_steps,
        bytes + 1);
    run(black_moves ? state.their_run : state.own_run, black_moves ? state.their_steps : state.own_steps,
        bytes + 3);
    auto* const squares = bytes + head_of_position;
    std::fill_n(squares, laws.squares(), std::uint8_t{0});
    for (auto one : Squares<Wide>{state.own | state.theirs}) {
        auto const bit = one.bits();
        bool const black = ((state.own & bit) != 0) == black_moves;
        int const kind = (state.kings & bit) != 0 ? 1 : (state.marks & bit) != 0 ? 2 : 0;
        squares[laws.number(lowest_bit(bit)) - 1] = static_cast<std::uint8_t>((black ? 1 : 4) + kind);
    }
}

// The buffer, of at least so many bytes; what it held is kept.
CROWNHEAD_EXPORT(buffer) std::uint8_t* crownhead_buffer(std::size_t size) {
    if (buffer().size() < size) { buffer().resize(size); }
    return buffer().data();
}

// Plays a variant from now on, which so many numbers in the buffer describe.
CROWNHEAD_EXPORT(set_variant) void crownhead_set_variant(std::size_t count) {
    Numbers numbers{count};
    auto row = read_row(numbers);
    auto draws = read_draws(numbers);
    slot() = std::make_unique<Played>(std::move(row), std::move(draws));
}

CROWNHEAD_EXPORT(squares) int crownhead_squares() { return played().laws->squares(); }

}  // namespace crownhead::wasm
