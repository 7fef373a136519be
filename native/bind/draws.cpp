// crownhead._kernel.DrawCounters: what draw rules count along a game, advanced and taken back ply by ply.
#include <vector>

#include "crownhead/draws.hpp"
#include "objects.hpp"

namespace crownhead::bind {
namespace {

class DrawCounters {
  public:
    DrawCounters(std::vector<CountedDraw> rules, PositionObject const& start)
        : counts_{std::move(rules), start.state} {}

    std::size_t plies() const { return counts_.plies(); }
    std::span<int const> counts() const { return counts_.counts(); }

    void push(MoveObject const& move, PositionObject const& after) {
        auto const crowned = (after.laws().bit(move.origin) & counts_.last().kings) != 0;
        counts_.push({.captures = !move.captures().empty(), .by_a_man = !crowned, .crowns = move.crowns},
                     after.state);
    }

    void pop() {
        if (plies() == 0) { throw nb::value_error("expected a ply to take back, but none has been counted"); }
        counts_.pop();
    }

    nb::tuple satisfied(bool automatic) const {
        nb::list found;
        for (std::size_t i = 0; i < counts_.rules(); ++i) {
            if (counts_.is_satisfied(i, automatic)) { found.append(i); }
        }
        return nb::tuple(found);
    }

  private:
    DrawCounts counts_;
};

std::vector<DrawForce> read_forces(nb::handle given) {
    std::vector<DrawForce> forces;
    for (nb::handle const pair : given) {
        forces.push_back({nb::cast<int>(pair[0]), nb::cast<int>(pair[1])});
    }
    return forces;
}

CountedDraw read_rule(nb::handle given, Laws const& laws) {
    auto const kind = nb::cast<int>(given[0]);
    if (kind < 0 || kind > static_cast<int>(DrawKind::balance)) {
        throw nb::value_error("expected a kind of rule");
    }
    nb::object const squares = given[8];
    Wide road = 0;
    if (!squares.is_none()) {
        for (auto const number : read_numbers(squares, laws.squares(), "squares of a road, numbers")) {
            road |= laws.bit(number);
        }
    }
    return {static_cast<DrawKind>(kind), nb::cast<bool>(given[1]),
            nb::cast<int>(given[2]),     nb::cast<unsigned>(given[3]),
            read_forces(given[4]),       read_forces(given[5]),
            nb::cast<int>(given[6]),     nb::cast<int>(given[7]),
            !squares.is_none(),          road};
}

void init_counters(DrawCounters* self, nb::handle given, PositionObject const& start) {
    std::vector<CountedDraw> rules;
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
            "__init__", &init_counters, nb::arg("rules"), nb::arg("start"),
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
