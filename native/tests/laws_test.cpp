// The laws behind plain functions: what is legal, what playing does, how positions decide the game.
#include <vector>

#include "crownhead/hash.hpp"
#include "fen.hpp"
#include "rule_sets.hpp"
#include "testing.hpp"

using namespace crownhead;
using namespace crownhead::testing;

namespace {

// Run twice: by laws that are constants, and by laws that are values.
bool by_values = false;

template <Rules Value>
Laws const& laws_of() {
    auto const& paths = both_paths<Value>();
    return by_values ? paths.values() : paths.constants();
}

Laws const& plain() { return laws_of<short_kings>(); }
Laws const& mules() { return laws_of<with_mules(short_kings)>(); }
Laws const& race() { return laws_of<first_king_wins(short_kings)>(); }
Laws const& carry_on() { return laws_of<free_carry_on>(); }
Laws const& flying_10() { return laws_of<most_pass_10>(); }

using Numbers = std::vector<std::uint8_t>;

std::vector<Numbers> paths(Laws const& laws, State const& state) {
    std::vector<Numbers> found;
    auto collect = [&](Ply const& ply) { found.emplace_back(ply.path.begin(), ply.path.end()); };
    expect(laws.legal_moves(state, PlyVisitor{collect}, Budget{}) == Verdict::done);
    return found;
}

std::vector<Numbers> found(Laws const& laws, std::string_view fen, Numbers const& named) {
    std::vector<Numbers> paths;
    auto collect = [&](Ply const& ply) { paths.emplace_back(ply.path.begin(), ply.path.end()); };
    expect(laws.find(state_of(laws, fen), named, PlyVisitor{collect}, Budget{}) == Verdict::done);
    return paths;
}

State play(Laws const& laws, std::string_view fen, Numbers const& path, Numbers const& captures,
           bool crowns) {
    State next{};
    Ply const ply{path.front(), path.back(), crowns, captures, path};
    expect(laws.play(state_of(laws, fen), ply, next, Budget{}) == Verdict::done);
    return next;
}

void quiet_moves_ascend() {
    expect(paths(plain(), state_of(plain(), "B:W32:BK14,5")) ==
           std::vector<Numbers>{{5, 9}, {14, 9}, {14, 10}, {14, 17}, {14, 18}});
}

void a_man_crowned_while_taking_stops_there() {
    auto const next = play(plain(), "W:W10:B6,7,8", {10, 3}, {7}, true);
    expect(next == state_of(plain(), "B:WK3:B6,8"));
}

void a_man_crowned_at_once_goes_on_as_a_king() {
    auto const next = play(carry_on(), "W:W10:B7,8", {10, 3, 12}, {7, 8}, true);
    expect(next == state_of(carry_on(), "B:WK12"));
}

void a_mule_on_the_crown_row_remains_a_mule() {
    auto const next = play(mules(), "W:WM5,9,K30:BM2,12", {5, 1}, {}, false);
    expect(next == state_of(mules(), "B:WM1,9,K30:BM2,12"));
}

void what_is_not_legal_is_not_played() {
    State next{};
    auto const start = state_of(plain(), "B:W21-32:B1-12");
    auto const verdict = [&](Ply const& ply) { return plain().play(start, ply, next, Budget{}); };
    expect(verdict({9, 14, true, {}, {}}) == Verdict::illegal);
    expect(verdict({9, 18, false, {}, {}}) == Verdict::illegal);
    expect(verdict({21, 17, false, {}, {}}) == Verdict::illegal);
    expect(verdict({0, 14, false, {}, {}}) == Verdict::illegal);
    expect(verdict({9, 200, false, {}, {}}) == Verdict::illegal);
    Numbers const taken{14};
    expect(verdict({9, 18, false, taken, {}}) == Verdict::illegal);
}

void a_capture_is_found_by_its_ends_and_by_any_of_its_routes() {
    constexpr std::string_view tour = "W:WK22:B9,10,17,18";
    std::vector<Numbers> const kept{{22, 13, 6, 15, 22}};
    expect(found(plain(), tour, {22, 22}) == kept);
    expect(found(plain(), tour, {22, 15, 6, 13, 22}) == kept);
    expect(found(plain(), tour, {22, 6, 22}) == kept);
    expect(found(plain(), tour, {22, 6, 15, 13, 22}).empty());
    expect(found(plain(), tour, {22, 14, 22}).empty());
    expect(found(plain(), tour, {22, 13}).empty());
}

void a_long_line_may_be_named_by_any_square_between_two_captures() {
    constexpr std::string_view line = "W:WK46:B37,19";
    std::vector<Numbers> const kept{{46, 32, 10}};
    for (auto between : Numbers{32, 28, 23}) { expect(found(flying_10(), line, {46, between, 10}) == kept); }
    expect(found(flying_10(), line, {46, 14, 10}).empty());
}

Decision ending(Laws const& laws, std::string_view fen) { return laws.ending(state_of(laws, fen)); }

void expect_ending(Laws const& laws, std::string_view fen, Cause cause, bool mover_wins,
                   std::source_location const& where = std::source_location::current()) {
    auto const decision = ending(laws, fen);
    expect(decision.cause == cause && decision.mover_wins == mover_wins, where);
    if (cause != Cause::none) { expect(paths(laws, state_of(laws, fen)).empty(), where); }
}

void a_side_without_a_piece_or_a_move_has_lost() {
    expect_ending(plain(), "B:W21-32:B1-12", Cause::none, false);
    expect_ending(plain(), "B:W21", Cause::no_pieces, false);
    expect_ending(plain(), "W:W5:B1", Cause::no_moves, false);
}

void mules_decide_the_game_in_the_order_of_the_rules() {
    expect_ending(mules(), "B:WM29,21:BM1,9", Cause::none, false);
    expect_ending(mules(), "B:WM29,21", Cause::no_pieces, false);
    expect_ending(mules(), "B:WM29,21:B9", Cause::mules_lost, true);
    expect_ending(mules(), "B:W21:BM1,9", Cause::mules_lost, false);
    expect_ending(mules(), "B:WM29,21:BM1", Cause::men_lost, false);
    expect_ending(mules(), "B:WM29:BM1,9", Cause::men_lost, true);
    expect_ending(mules(), "B:WM4,21:BM1,9", Cause::mule_crowned, true);
    expect_ending(mules(), "B:WM22,21:BM32,9", Cause::mule_crowned, false);
    expect_ending(mules(), "W:WM5,28:BM1,24,19", Cause::no_moves, false);
    // The mules lost outrank the mule crowned in the same capture.
    expect_ending(mules(), "B:WM2,21:B9", Cause::mules_lost, true);
}

void the_first_king_decides_where_it_wins() {
    expect_ending(race(), "B:W21-32:B1-12", Cause::none, false);
    expect_ending(race(), "B:WK1,21:B9", Cause::first_king, false);
    expect_ending(race(), "B:W21:BK9", Cause::first_king, true);
    expect_ending(race(), "B:WK1,21:BK9", Cause::first_king, false);
    expect_ending(race(), "B:WK1", Cause::no_pieces, false);
    expect_ending(race(), "W:W5:B1", Cause::no_moves, false);
}

void hashes_differ_wherever_positions_do() {
    auto const hash = [](std::uint64_t a, std::uint64_t b) { return hash_words({a, b}); };
    expect(hash(1, 2) != hash(2, 1));
    expect(hash(0, 0) != hash(0, 1));
    // One bit of input changes about half of the output.
    for (int bit = 0; bit < 64; ++bit) {
        int const changed = std::popcount(hash(0, 0) ^ hash(std::uint64_t{1} << bit, 0));
        expect(changed > 12 && changed < 52);
    }
}

}  // namespace

int run_tests() {
    return run({
        {"quiet moves ascend", quiet_moves_ascend},
        {"a man crowned while taking stops there", a_man_crowned_while_taking_stops_there},
        {"a man crowned at once goes on as a king", a_man_crowned_at_once_goes_on_as_a_king},
        {"a mule on the crown row remains a mule", a_mule_on_the_crown_row_remains_a_mule},
        {"what is not legal is not played", what_is_not_legal_is_not_played},
        {"a capture is found by its ends and by any of its routes",
         a_capture_is_found_by_its_ends_and_by_any_of_its_routes},
        {"a long line may be named by any square between two captures",
         a_long_line_may_be_named_by_any_square_between_two_captures},
        {"a side without a piece or a move has lost", a_side_without_a_piece_or_a_move_has_lost},
        {"mules decide the game in the order of the rules", mules_decide_the_game_in_the_order_of_the_rules},
        {"the first king decides where it wins", the_first_king_decides_where_it_wins},
        {"hashes differ wherever positions do", hashes_differ_wherever_positions_do},
    });
}

int main() {
    int const failed = run_tests();
    by_values = true;
    return failed | run_tests();
}
