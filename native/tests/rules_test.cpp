// Rules and boards combined apart from the table, against published perft counts.
// Sources: dctl (github.com/rhalbersma/dctl, test/src/algo/traversal), and for the positions with few
// pieces an independent mailbox generator.
#include "rule_sets.hpp"

#include "fen.hpp"
#include "testing.hpp"

using namespace crownhead;
using namespace crownhead::testing;

namespace {

constexpr std::string_view start_black = "B:W21-32:B1-12";
constexpr std::string_view start_white = "W:W21-32:B1-12";
constexpr std::string_view kings_and_men = "W:WK29,K3,21,22:B6,7,14,15,18,26,K12";
constexpr std::string_view races = "W:W5,6,7,8:B25,26,27,28";

template <Rules Value>
void expect_perft(std::string_view fen, std::initializer_list<std::uint64_t> counts,
                  std::source_location const& where = std::source_location::current()) {
    auto const& paths = both_paths<Value>();
    int depth = 0;
    for (auto count : counts) {
        ++depth;
        for (auto const* laws : {&paths.values(), &paths.constants()}) {
            auto const got = laws->perft(state_of(*laws, fen), depth, true, Patience{});
            expect_equal(got.nodes, count, where);
            if (values_only) { break; }
        }
    }
}

void pool_checkers() {
    expect_perft<free_pass>(start_black, {7, 49, 302, 1469, 7482, 37986, 190146, 929896});
    expect_perft<free_pass>(kings_and_men, {4, 18, 93, 696, 3457, 22931, 157933, 1001854});
    expect_perft<free_pass>(races, {7, 49, 344, 2341, 19559, 149172, 1288694});
}

void czech_draughts() {
    expect_perft<king_first>(start_white, {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963671});
    expect_perft<king_first>(kings_and_men, {3, 3, 14, 112, 645, 4690, 38643, 307442});
    expect_perft<king_first>(races, {7, 49, 344, 2372, 19946, 155366, 1363005});
}

void spanish_draughts() {
    expect_perft<on(board_8_corner, most_then_kings)>(
        start_white, {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866});
    expect_perft<on(board_8_corner, most_then_kings)>(kings_and_men,
                                                      {4, 8, 45, 232, 1598, 11279, 75723, 492960});
    expect_perft<on(board_8_corner, most_then_kings)>(races, {7, 49, 344, 2368, 19860, 154309, 1345883});
}

void canadian_draughts_on_128_bits() {
    expect_perft<most_pass_12>("W:W43-72:B1-30", {11, 121, 1222, 10053, 79049, 584100});
    expect_perft<most_pass_12>("W:W7-12:B61-66", {11, 121, 1534, 18998, 277276, 3915115});
}

// A board turned round and numbered from its other end is the same game.
void a_board_seen_from_the_other_side_counts_alike() {
    constexpr Board turned = checkered(8, 8, true, false);
    expect_perft<on(turned, free_carry_on)>("W:W1-12:B21-32",
                                            {7, 49, 302, 1469, 7482, 37986, 190146, 929899});
    expect_perft<free_carry_on>(start_white, {7, 49, 302, 1469, 7482, 37986, 190146, 929899});
    constexpr Board mirrored = checkered(8, 8, false);
    expect_perft<on(mirrored, free_carry_on)>(start_white, {7, 49, 302, 1469, 7482, 37986, 190146, 929899});
}

}  // namespace

int main() {
    return run({
        {"pool checkers: free choice, a man passes the crown row", pool_checkers},
        {"Czech draughts: a king captures first", czech_draughts},
        {"Spanish draughts: most pieces, then most kings", spanish_draughts},
        {"Canadian draughts fits 128 bits", canadian_draughts_on_128_bits},
        {"a board seen from the other side counts alike", a_board_seen_from_the_other_side_counts_alike},
    });
}
