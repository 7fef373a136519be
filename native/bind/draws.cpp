// crownhead._kernel.DrawCounters: what draw rules count along a game, advanced and taken back ply by ply.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "objects.hpp"

namespace crownhead::bind {
namespace {

enum class Kind : std::uint8_t { repetition, quiet, material, balance };

// The pieces of a side.
struct Force {
    int kings;
    int men;

    int pieces() const { return kings + men; }
    friend bool operator==(Force const&, Force const&) = default;
};

// What ends a count of moves: bits of `crownhead.rules.draws`.
constexpr unsigned by_capture = 1;
constexpr unsigned by_man = 2;
constexpr unsigned by_crowning = 4;

struct Rule {
    Kind kind;
    bool automatic;
    int enough;  // occurrences, or plies
    unsigned resets;
    std::vector<Force> strong;
    std::vector<Force> weak;
    int fewest;  // pieces on the board
    int most;
    bool on_road;
    Wide road;  // where the kings of the weak side must stand, if anywhere
};

constexpr int not_standing = -1;  // in place of a count, where the pieces are not those of the rule

int size(Wide set) {
    return std::popcount(static_cast<std::uint64_t>(set)) +
           std::popcount(static_cast<std::uint64_t>(set >> 64));
}

Force force(Wide side, Wide kings) {
    auto const crowned = size(side & kings);
    return {crowned, size(side) - crowned};
}

bool contains(std::vector<Force> const& forces, Force force) {
    return std::ranges::find(forces, force) != forces.end();
}

class DrawCounters {
  public:
    DrawCounters(std::vector<Rule> rules, PositionObject const& start) : rules_{std::move(rules)} {
        line_.push_back(start.state);
        since_capture_.push_back(0);
        for (auto const& rule : rules_) {
            counts_.push_back(rule.kind == Kind::repetition ? 1
                              : rule.kind == Kind::quiet    ? 0
                              : stands(rule, start.state)   ? 0
                                                            : not_standing);
        }
    }

    std::size_t plies() const { return line_.size() - 1; }

    void push(MoveObject const& move, PositionObject const& after) {
        auto const& before = line_.back();
        auto const captures = !move.captures().empty();
        auto const crowned = (after.laws().bit(move.origin) & before.kings) != 0;
        auto const done =
            (captures ? by_capture : 0U) | (crowned ? 0U : by_man) | (move.crowns ? by_crowning : 0U);
        auto const since = captures ? 0 : since_capture_.back() + 1;
        auto const last = counts_.size() - rules_.size();
        for (std::size_t i = 0; i < rules_.size(); ++i) {
            counts_.push_back(next(rules_[i], counts_[last + i], done, since, after.state));
        }
        line_.push_back(after.state);
        since_capture_.push_back(since);
    }

    void pop() {
        if (plies() == 0) { throw nb::value_error("expected a ply to take back, but none has been counted"); }
        line_.pop_back();
        since_capture_.pop_back();
        counts_.resize(counts_.size() - rules_.size());
    }

    std::span<int const> counts() const { return std::span{counts_}.last(rules_.size()); }

    nb::tuple satisfied(bool automatic) const {
        nb::list found;
        auto const now = counts();
        for (std::size_t i = 0; i < rules_.size(); ++i) {
            if (rules_[i].automatic == automatic && now[i] >= rules_[i].enough) { found.append(i); }
        }
        return nb::tuple(found);
    }

  private:
    // The count of a rule after a ply, before which it was `count`.
    int next(Rule const& rule, int count, unsigned done, int since, State const& state) const {
        switch (rule.kind) {
            case Kind::repetition: return occurrences(state, since);
            case Kind::quiet: return (done & rule.resets) != 0 ? 0 : count + 1;
            default: break;
        }
        if (!stands(rule, state)) { return not_standing; }
        return (done & rule.resets) != 0 ? 0 : count + 1;
    }

    // How often a position that is reached now has occurred; no capture is ever undone.
    int occurrences(State const& state, int since) const {
        int times = 1;
        auto const reached = line_.size();
        for (std::size_t ago = 2; ago <= static_cast<std::size_t>(since); ago += 2) {
            times += line_[reached - ago] == state ? 1 : 0;
        }
        return times;
    }

    // Whether the pieces are those that a rule is about; both sides have a king.
    static bool stands(Rule const& rule, State const& state) {
        auto const own = state.own & state.kings;
        auto const theirs = state.theirs & state.kings;
        if (own == 0 || theirs == 0) { return false; }
        auto const ours = force(state.own, state.kings);
        auto const others = force(state.theirs, state.kings);
        if (rule.kind == Kind::balance) {
            auto const pieces = ours.pieces() + others.pieces();
            return rule.fewest <= pieces && pieces <= rule.most;
        }
        auto const placed = [&](Wide kings) { return !rule.on_road || (kings & ~rule.road) == 0; };
        return (contains(rule.strong, ours) && contains(rule.weak, others) && placed(theirs)) ||
               (contains(rule.strong, others) && contains(rule.weak, ours) && placed(own));
    }

    std::vector<Rule> rules_;
    std::vector<State> line_;
    std::vector<int> since_capture_;
    std::vector<int> counts_;  // of every rule, position by position
};

std::vector<Force> read_forces(nb::handle given) {
    std::vector<Force> forces;
    for (nb::handle const pair : given) {
        forces.push_back({nb::cast<int>(pair[0]), nb::cast<int>(pair[1])});
    }
    return forces;
}

Rule read_rule(nb::handle given, Laws const& laws) {
    auto const kind = nb::cast<int>(given[0]);
    if (kind < 0 || kind > static_cast<int>(Kind::balance)) {
        throw nb::value_error("expected a kind of rule");
    }
    nb::object const squares = given[8];
    Wide road = 0;
    if (!squares.is_none()) {
        for (auto const number : read_numbers(squares, laws.squares(), "squares of a road, numbers")) {
            road |= laws.bit(number);
        }
    }
    return {static_cast<Kind>(kind), nb::cast<bool>(given[1]),
            nb::cast<int>(given[2]), nb::cast<unsigned>(given[3]),
            read_forces(given[4]),   read_forces(given[5]),
            nb::cast<int>(given[6]), nb::cast<int>(given[7]),
            !squares.is_none(),      road};
}

void init(DrawCounters* self, nb::handle given, PositionObject const& start) {
    std::vector<Rule> rules;
    for (nb::handle const rule : given) { rules.push_back(read_rule(rule, start.laws())); }
    new (self) DrawCounters(std::move(rules), start);
}

// Counts the plies of a game that have not been counted yet.
void count(DrawCounters& counters, nb::handle moves, nb::handle positions) {
    if (!PySequence_Check(moves.ptr())) { throw nb::type_error("expected a sequence of moves"); }
    if (!PySequence_Check(positions.ptr())) { throw nb::type_error("expected a sequence of positions"); }
    auto const made = nb::len(moves);
    if (nb::len(positions) != made + 1) { throw nb::value_error("expected one position more than moves"); }
    try {
        for (auto ply = counters.plies(); ply < made; ++ply) {
            nb::object const move = moves[ply];
            nb::object const position = positions[ply + 1];
            counters.push(nb::cast<MoveObject const&>(move), nb::cast<PositionObject const&>(position));
        }
    } catch (nb::cast_error const&) { throw nb::type_error("expected moves and positions"); }
}

nb::tuple counts(DrawCounters const& counters) {
    nb::list found;
    for (auto const number : counters.counts()) { found.append(number); }
    return nb::tuple(found);
}

}  // namespace

void bind_draws(nb::module_& module) {
    nb::class_<DrawCounters>(
        module, "DrawCounters", nb::is_final(),
        "The counters of draw rules along a game: occurrences of positions, and the plies "
        "for which the condition of a rule has lasted.")
        .def(
            "__init__", &init, nb::arg("rules"), nb::arg("start"),
            nb::sig("def __init__(self, rules: collections.abc.Iterable[tuple[object, ...]], start: Position)"
                    " -> None"),
            "A rule is its kind (0 repetition, 1 moves without progress, 2 pieces against pieces, 3 "
            "balance), "
            "whether it is automatic, how much is enough, what resets it (1 a capture, 2 a man's move, 4 a "
            "crowning), the strong and the weak forces as pairs of kings and men, the fewest and the most "
            "pieces, and the squares where the weak side's kings must stand, or None.")
        .def_prop_ro("plies", &DrawCounters::plies, "The plies counted so far.")
        .def("count", &count, nb::arg("moves"), nb::arg("positions"),
             nb::sig("def count(self, moves: collections.abc.Sequence[Move], positions: "
                     "collections.abc.Sequence[Position]) -> None"),
             "Count the plies of a game that have not been counted; it has one position more than moves.")
        .def("pop", &DrawCounters::pop, "Take back the last ply. Raises ValueError where there is none.")
        .def("counts", &counts, nb::sig("def counts(self) -> tuple[int, ...]"),
             "The count of each rule now; -1 where the pieces are not those it is about.")
        .def("satisfied", &DrawCounters::satisfied, nb::arg("automatic"),
             nb::sig("def satisfied(self, automatic: bool) -> tuple[int, ...]"),
             "The rules, by their place, whose count is enough: the automatic ones, or the others.");
}

}  // namespace crownhead::bind
