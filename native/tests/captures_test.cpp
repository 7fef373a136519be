// The capture search: identities, the route that is kept, the budget and the second attempt.
#include <vector>

#include "fen.hpp"
#include "rule_sets.hpp"
#include "testing.hpp"

using namespace crownhead;
using namespace crownhead::testing;

namespace {

// A king in the middle of a lattice of single men: every closed tour can be run both ways.
constexpr std::string_view lattice = "W:WK39:B7,8,9,10,17,18,19,20,27,28,29,30,37,38,40";
constexpr std::string_view ring = "W:WK22:B9,10,17,18";

template <Rules Value>
using Tested = typename BothPaths<Value>::Tested;

template <Rules Value, class R = Tested<Value>>
std::vector<Route<R>> routes_of(std::string_view fen, Budget budget = {},
                                R rules = both_paths<Value>().tested()) {
    auto const position = position_of(rules, fen);
    RouteList<R> list{position};
    expect(find_captures<Colour::white>(position, capturing<Colour::white>(position), list, budget));
    return {list.begin(), list.end()};
}

template <class R>
std::vector<int> squares_of(R rules, Route<R> const& route) {
    std::vector<int> numbers{rules.board().number(route.capture.origin.first())};
    for (std::size_t i = 0; i < route.trail.length; ++i) {
        numbers.push_back(rules.board().number(route.trail.landed[i]));
    }
    return numbers;
}

void a_tour_run_both_ways_is_one_move_by_its_lowest_route() {
    auto const rules = both_paths<short_kings>().tested();
    auto const routes = routes_of<short_kings>(ring);
    expect_equal(routes.size(), std::size_t{1});
    expect(squares_of(rules, routes[0]) == std::vector{22, 13, 6, 15, 22});
}

void a_king_going_straight_on_stands_directly_behind_what_it_took() {
    auto const rules = both_paths<most_pass_10>().tested();
    auto const routes = routes_of<most_pass_10>("W:WK46:B37,19");
    expect_equal(routes.size(), std::size_t{3});
    expect(squares_of(rules, routes[0]) == std::vector{46, 32, 5});
    expect(squares_of(rules, routes[1]) == std::vector{46, 32, 10});
    expect(squares_of(rules, routes[2]) == std::vector{46, 32, 14});
}

template <Rules Value, class R>
void expect_same_with_memory(std::string_view fen, R rules) {
    auto const plain = routes_of<Value>(fen, Budget{.plain = 1 << 20}, rules);
    auto const remembered = routes_of<Value>(fen, Budget{.plain = 1}, rules);
    expect_equal(remembered.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        expect(plain[i].capture == remembered[i].capture);
        expect(squares_of(rules, plain[i]) == squares_of(rules, remembered[i]));
    }
}

template <Rules Value>
void expect_same_with_memory(std::string_view fen) {
    expect_same_with_memory<Value>(fen, both_paths<Value>().tested());
    if constexpr (!values_only) { expect_same_with_memory<Value>(fen, both_paths<Value>().rules()); }
}

void the_second_attempt_finds_what_the_first_would() {
    expect_same_with_memory<most_pass_10>(lattice);
    expect_same_with_memory<on(board_10, free_pass)>(lattice);
    expect_same_with_memory<on(board_10, free_carry_on)>(lattice);
    expect_same_with_memory<on(board_10, king_first)>(lattice);
    expect_same_with_memory<most_pass_12>("W:WK72:B9,10,11,20,21,22,23,32,33,34,35,44,45,46,47,56,57,58");
    expect_same_with_memory<free_carry_on>("W:W22,K1:B6,7,8,14,15,16,17,18,25,26,27");
}

void a_spent_budget_is_reported() {
    auto const position = position_of(both_paths<most_pass_10>().tested(), lattice);
    CaptureList<Tested<most_pass_10>> list{position};
    auto const origins = capturing<Colour::white>(position);
    expect(!find_captures<Colour::white>(position, origins, list, Budget{.plain = 10, .distinct = 10}));
}

void searches_share_what_is_left() {
    auto const position = position_of(both_paths<most_pass_10>().tested(), lattice);
    auto const origins = capturing<Colour::white>(position);
    auto const search = [&](std::int64_t& left) {
        CaptureList<Tested<most_pass_10>> list{position};
        return find_captures<Colour::white>(position, origins, list, Budget{.plain = 10, .left = &left});
    };
    std::int64_t left = 1 << 24;
    expect(search(left));
    auto const used = (1 << 24) - left;
    expect(used > 10 + cost_of_memory);
    left = 2 * used;
    expect(search(left) && search(left) && !search(left));
    expect(left <= 0);
}

void a_list_outgrows_the_stack() {
    InlineList<int, 4> list;
    for (int i = 0; i < 1000; ++i) { list.push_back(i); }
    expect_equal(list.size(), std::size_t{1000});
    int expected = 0;
    for (int value : list) { expect_equal(value, expected++); }
}

}  // namespace

int main() {
    return run({
        {"a tour run both ways is one move, by its lowest route",
         a_tour_run_both_ways_is_one_move_by_its_lowest_route},
        {"a king going straight on stands directly behind what it took",
         a_king_going_straight_on_stands_directly_behind_what_it_took},
        {"the second attempt finds what the first would", the_second_attempt_finds_what_the_first_would},
        {"a spent budget is reported", a_spent_budget_is_reported},
        {"searches share what is left", searches_share_what_is_left},
        {"a list outgrows the stack", a_list_outgrows_the_stack},
    });
}
