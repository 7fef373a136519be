// Which rules can be played: what the templates rely on, said in words.
#include <algorithm>
#include <string>

#include "crownhead/failure.hpp"
#include "crownhead/variant_row.hpp"

namespace crownhead {
namespace {

constexpr int most_bits = 128;
constexpr int shortest_side = 4;
constexpr int longest_run = 100;

void require(bool holds, std::string const& expected) {
    if (!holds) { fail(Failure::rules, "expected " + expected); }
}

void check_board(Board const& board) {
    std::string const size = std::to_string(board.width) + " by " + std::to_string(board.height);
    auto const fits = [](int side) { return side >= shortest_side && side <= Layout::longest_side; };
    require(fits(board.width) && fits(board.height), "a board of " + std::to_string(shortest_side) + " to " +
                                                         std::to_string(Layout::longest_side) +
                                                         " files and rows, got " + size);
    require(board.grid == Grid::checkered || !board.indented,
            "square 1 in the corner of a board on which every square is played");
    require(board.grid != Grid::lines || (board.width % 2 == 1 && board.height % 2 == 1),
            "an odd width and height of a board of lines, whose diagonals meet in every corner, got " + size);
    int const bits = Layout{board}.bits();
    require(bits <= most_bits, "a board of at most " + std::to_string(most_bits) + " bits, got " + size +
                                   " squares, which take " + std::to_string(bits));
}

void check_directions(Rules const& rules) {
    struct Named {
        char const* name;
        Directions set;
    };
    for (auto const& [name, set] :
         {Named{"man_steps", rules.man_steps}, Named{"man_captures", rules.man_captures},
          Named{"man_goes_on", rules.man_goes_on}, Named{"king_steps", rules.king_steps},
          Named{"king_captures", rules.king_captures}}) {
        require(mirrored(set) == set,
                std::string{"the same directions to the left and to the right in "} + name);
    }
    require(upside_down(rules.king_steps) == rules.king_steps,
            "kings that step forward and backward alike (king_steps)");
    require(upside_down(rules.king_captures) == rules.king_captures,
            "kings that capture forward and backward alike (king_captures)");
}

void check_priority(Rules const& rules) {
    bool over = false;
    for (std::size_t i = 0; i < rules.priority.size(); ++i) {
        auto const component = rules.priority[i];
        require(!over || component == Priority::none, "no gap in the priority of captures");
        over = component == Priority::none;
        for (std::size_t j = 0; j < i; ++j) {
            require(over || rules.priority[j] != component,
                    "each component of the priority once, got one twice");
        }
    }
}

void check_konane(Rules const& rules) {
    constexpr Directions orthogonally =
        mask(Direction::up) | mask(Direction::down) | mask(Direction::left) | mask(Direction::right);
    auto const& board = rules.board;
    require(board.grid == Grid::full && board.width % 2 == 0 && board.height % 2 == 0,
            "for rules of jumps only a board of even sides on which every square is played");
    require(rules.man_captures == orthogonally && rules.man_goes_on == orthogonally,
            "for rules of jumps only men that capture along rows and files");
    require(rules.crowning == Crowning::never && rules.king_steps == 0 && rules.king_captures == 0,
            "for rules of jumps only no kings");
    require(rules.man_steps == 0 && rules.free_choice() && rules.marked == Marked::none &&
                !rules.lines_step && rules.king_run == 0 && !rules.first_king_wins && rules.man_captures_king,
            "for rules of jumps only no rule about steps, priority, marked men or kings");
}

}  // namespace

void check(Rules const& rules) {
    check_board(rules.board);
    check_directions(rules);
    check_priority(rules);
    require(rules.king_run >= 0 && rules.king_run <= longest_run,
            "a limit of 0 to " + std::to_string(longest_run) + " steps for a king (king_run), got " +
                std::to_string(rules.king_run));
    require(
        rules.crowning != Crowning::far_corner ||
            (rules.board.grid == Grid::checkered && rules.board.width % 2 == 0),
        "for crowning in the far corner a checkered board of an even width, where one corner is no square");
    require(!rules.first_king_wins || (rules.crowning != Crowning::never && !rules.has_mules()),
            "for a game that the first king wins men who are crowned, and no mules");
    if (rules.jumps_only) { check_konane(rules); }
}

void check_start(VariantRow const& row, Laws const& laws) {
    Wide seen = 0;
    auto const place = [&](std::uint8_t number, Colour colour) {
        auto const text = std::to_string(number);
        if (number < 1 || number > laws.squares()) {
            fail(Failure::rules, "expected pieces on squares 1 to " + std::to_string(laws.squares()) +
                                     ", got one on " + text);
        }
        auto const bit = laws.bit(number);
        if ((seen & bit) != 0) { fail(Failure::rules, "expected one piece on square " + text + ", got two"); }
        seen |= bit;
        bool const is_marked = std::ranges::find(row.marked, number) != row.marked.end();
        if (!is_marked && (laws.crown_squares(colour) & bit) != 0) {
            fail(Failure::rules,
                 "expected no man on square " + text + ", for it would have been crowned there");
        }
        if (is_marked && row.rules.has_parachutists() && (laws.far_row(colour) & bit) == 0) {
            fail(Failure::rules, "expected parachutists on their far row, got one on square " + text);
        }
    };
    for (auto number : row.black) { place(number, Colour::black); }
    for (auto number : row.white) { place(number, Colour::white); }
    if (row.black.empty() || row.white.empty()) {
        fail(Failure::rules, "expected pieces of both sides at the start, got none of one");
    }
    if (!row.marked.empty() && row.rules.marked == Marked::none) {
        fail(Failure::rules, "expected no marked men, for these rules have none");
    }
    for (auto number : row.marked) {
        if (number < 1 || number > laws.squares() || (seen & laws.bit(number)) == 0) {
            fail(Failure::rules,
                 "expected marked men on squares where men stand, got square " + std::to_string(number));
        }
    }
}

}  // namespace crownhead
