// crownhead._kernel.Position: an immutable position of any variant, and what can be asked of it.
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "crownhead/hash.hpp"
#include "objects.hpp"

namespace crownhead::bind {
namespace {

constexpr int deepest = 100;

// ------------------------------------------------------------------------------------ making one
Variant const& find_variant(std::string_view key) {
    auto const rows = variants();
    auto const row = std::ranges::find(rows, key, &Variant::key);
    if (row == rows.end()) {
        throw nb::value_error(("expected the key of a variant, got '" + std::string{key} + "'").c_str());
    }
    return *row;
}

enum class Kind : std::uint8_t { man, king, mule };

struct Placement {
    Colour colour;
    Kind kind;
    nb::handle squares;
};

void place(PositionObject& position, Placement const& pieces) {
    auto const& laws = position.laws();
    auto& state = position.state;
    bool const black = pieces.colour == Colour::black;
    auto const crown_row = laws.crown_row(pieces.colour);
    auto const numbers = read_numbers(pieces.squares, laws.squares, "square numbers");
    if (pieces.kind == Kind::mule && !numbers.empty() && !laws.mules) {
        PyErr_Format(PyExc_ValueError,
                     "expected no mules, for they are not played here, got one on square %d",
                     int{numbers.front()});
        throw nb::python_error();
    }
    for (auto number : numbers) {
        auto const bit = laws.bit(number);
        if (((state.own | state.theirs) & bit) != 0) {
            PyErr_Format(PyExc_ValueError, "expected one piece on square %d, got two", int{number});
            throw nb::python_error();
        }
        if (pieces.kind == Kind::man && (crown_row & bit) != 0) {
            PyErr_Format(PyExc_ValueError,
                         "expected no %s man on square %d, for it would have been crowned there",
                         black ? "black" : "white", int{number});
            throw nb::python_error();
        }
        (pieces.colour == state.turn ? state.own : state.theirs) |= bit;
        if (pieces.kind == Kind::king) { state.kings |= bit; }
        if (pieces.kind == Kind::mule) { state.mules |= bit; }
    }
}

void init(PositionObject* self, std::string_view variant, bool black_to_move, nb::handle black_men,
          nb::handle black_kings, nb::handle white_men, nb::handle white_kings, nb::handle black_mules,
          nb::handle white_mules) {
    PositionObject position{{0, 0, 0, 0, black_to_move ? Colour::black : Colour::white},
                            &find_variant(variant)};
    for (auto const& pieces :
         {Placement{Colour::black, Kind::man, black_men}, Placement{Colour::black, Kind::king, black_kings},
          Placement{Colour::white, Kind::man, white_men}, Placement{Colour::white, Kind::king, white_kings},
          Placement{Colour::black, Kind::mule, black_mules},
          Placement{Colour::white, Kind::mule, white_mules}}) {
        place(position, pieces);
    }
    new (self) PositionObject(position);
}

// ------------------------------------------------------------------------------- looking at one
template <Colour C, Kind K>
nb::tuple squares(PositionObject const& position) {
    auto const& state = position.state;
    Wide set = C == state.turn ? state.own : state.theirs;
    if constexpr (K == Kind::man) { set &= ~(state.kings | state.mules); }
    if constexpr (K == Kind::king) { set &= state.kings; }
    if constexpr (K == Kind::mule) { set &= state.mules; }
    std::array<std::uint8_t, 128> numbers;
    std::size_t count = 0;
    for (auto one : Squares<Wide>{set}) { numbers[count++] = position.laws().number(lowest_bit(one.bits())); }
    return to_tuple(std::span{numbers}.first(count));
}

Py_hash_t hash(PositionObject const& position) {
    auto const& state = position.state;
    auto const low = [](Wide word) { return static_cast<std::uint64_t>(word); };
    auto const high = [](Wide word) { return static_cast<std::uint64_t>(word >> 64); };
    auto const turn = static_cast<std::uint64_t>(state.turn);
    if (high(state.own | state.theirs) == 0) {
        return static_cast<Py_hash_t>(
            hash_words({turn, low(state.own), low(state.theirs), low(state.kings), low(state.mules)}));
    }
    return static_cast<Py_hash_t>(
        hash_words({turn, low(state.own), low(state.theirs), low(state.kings), low(state.mules),
                    high(state.own), high(state.theirs), high(state.kings), high(state.mules)}));
}

nb::object reduce(nb::handle_t<PositionObject> self) {
    auto const& position = nb::cast<PositionObject const&>(self);
    return nb::make_tuple(
        self.type(),
        nb::make_tuple(
            position.variant->key, position.state.turn == Colour::black,
            squares<Colour::black, Kind::man>(position), squares<Colour::black, Kind::king>(position),
            squares<Colour::white, Kind::man>(position), squares<Colour::white, Kind::king>(position),
            squares<Colour::black, Kind::mule>(position), squares<Colour::white, Kind::mule>(position)));
}

// ------------------------------------------------------------------------------------- its moves
// Collects what the laws show as Python objects.
class Moves {
  public:
    explicit Moves(std::size_t expected) { moves_.reserve(expected); }

    void operator()(Ply const& ply) { moves_.push_back(make_instance(type_, MoveObject{ply})); }

    nb::tuple tuple() {
        auto tuple = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(moves_.size())));
        if (!tuple.is_valid()) { throw nb::python_error(); }
        Py_ssize_t i = 0;
        for (auto& move : moves_) { PyTuple_SET_ITEM(tuple.ptr(), i++, move.release().ptr()); }
        return tuple;
    }

    nb::list list() {
        nb::list list;
        for (auto const& move : moves_) { list.append(move); }
        return list;
    }

  private:
    nb::handle type_ = nb::type<MoveObject>();
    std::vector<nb::object> moves_;
};

void require(Verdict verdict) {
    if (verdict == Verdict::too_many_captures) { throw TooManyCaptures{}; }
}

nb::tuple legal_moves(PositionObject const& position) {
    Moves moves{16};
    require(position.laws().legal_moves(position.state, PlyVisitor{moves}));
    return moves.tuple();
}

nb::list find(PositionObject const& position, nb::handle named) {
    auto const squares = read_numbers(named, 255, "square numbers");
    if (squares.size() < 2) { throw nb::value_error("expected an origin and a target at least"); }
    Moves moves{1};
    if (std::ranges::all_of(squares, [&](int number) { return number <= position.laws().squares; })) {
        require(position.laws().find(position.state, squares, PlyVisitor{moves}));
    }
    return moves.list();
}

nb::object play(nb::handle_t<PositionObject> self, MoveObject const& move) {
    auto const& position = *nb::inst_ptr<PositionObject>(self);
    PositionObject next{position};
    Ply const ply{move.origin, move.target, move.crowns, move.captures(), {}};
    auto const verdict = position.laws().play(position.state, ply, next.state);
    require(verdict);
    if (verdict == Verdict::illegal) { throw nb::value_error("expected a legal move of this position"); }
    return make_instance(self.type(), next);
}

// ------------------------------------------------------------------------------ what it leads to
std::uint64_t perft(PositionObject const& position, int depth, bool bulk) {
    if (depth < 0 || depth > deepest) { throw nb::value_error("expected a depth from 0 to 100"); }
    Patience const until_signalled{[](void*) {
                                       nb::gil_scoped_acquire const gil;
                                       return PyErr_CheckSignals() == 0;
                                   },
                                   nullptr};
    Count count;
    {
        nb::gil_scoped_release const no_gil;
        count = position.laws().perft(position.state, depth, bulk, until_signalled);
    }
    if (count.halt == Halt::impatience) { throw nb::python_error(); }
    if (count.halt == Halt::too_many_captures) { throw TooManyCaptures{}; }
    return count.nodes;
}

constexpr std::string_view name(Cause cause) {
    switch (cause) {
        case Cause::none: break;
        case Cause::no_pieces: return "no-pieces";
        case Cause::no_moves: return "no-moves";
        case Cause::mules_lost: return "mules-lost";
        case Cause::men_lost: return "men-lost";
        case Cause::mule_crowned: return "mule-crowned";
        case Cause::first_king: return "first-king";
    }
    return "";
}

nb::object ending(PositionObject const& position) {
    auto decision = position.laws().ending(position.state);
    if (decision.cause == Cause::none) { return nb::none(); }
    bool const bare = decision.cause == Cause::no_pieces || decision.cause == Cause::no_moves;
    if (bare && position.variant->objective == Objective::mover_wins) { decision.mover_wins = true; }
    bool const black_moves = position.state.turn == Colour::black;
    return nb::make_tuple(name(decision.cause), decision.mover_wins == black_moves);
}

nb::object itself(nb::handle self) { return nb::borrow(self); }

// --------------------------------------------------------------------------------- the Python type
using Class = nb::class_<PositionObject>;

void bind_making(Class& type) {
    type.def("__init__", &init, nb::arg("variant"), nb::arg("black_to_move"), nb::arg("black_men"),
             nb::arg("black_kings"), nb::arg("white_men"), nb::arg("white_kings"),
             nb::arg("black_mules") = nb::tuple(), nb::arg("white_mules") = nb::tuple(),
             nb::sig("def __init__(self, variant: str, black_to_move: bool, "
                     "black_men: collections.abc.Iterable[int], black_kings: collections.abc.Iterable[int], "
                     "white_men: collections.abc.Iterable[int], white_kings: collections.abc.Iterable[int], "
                     "black_mules: collections.abc.Iterable[int] = (), "
                     "white_mules: collections.abc.Iterable[int] = ()) -> None"),
             "Raises ValueError for an unknown variant, a square off the board or used twice, and a man on "
             "its own crown row.");
}

void bind_pieces(Class& type) {
    type.def_prop_ro("variant_key", [](PositionObject const& position) { return position.variant->key; });
    type.def_prop_ro("black_to_move",
                     [](PositionObject const& position) { return position.state.turn == Colour::black; });
    auto const numbers = [&](char const* name, auto getter, char const* signature) {
        type.def_prop_ro(name, getter, nb::sig(signature));
    };
    numbers("black_men", &squares<Colour::black, Kind::man>, "def black_men(self) -> tuple[int, ...]");
    numbers("black_kings", &squares<Colour::black, Kind::king>, "def black_kings(self) -> tuple[int, ...]");
    numbers("white_men", &squares<Colour::white, Kind::man>, "def white_men(self) -> tuple[int, ...]");
    numbers("white_kings", &squares<Colour::white, Kind::king>, "def white_kings(self) -> tuple[int, ...]");
    numbers("black_mules", &squares<Colour::black, Kind::mule>, "def black_mules(self) -> tuple[int, ...]");
    numbers("white_mules", &squares<Colour::white, Kind::mule>, "def white_mules(self) -> tuple[int, ...]");
}

void bind_laws(Class& type) {
    type.def("legal_moves", &legal_moves, nb::sig("def legal_moves(self) -> tuple[Move, ...]"),
             "All legal moves, ascending by path; none if the position decides the game. Raises "
             "TooManyCaptures.");
    type.def("find", &find, nb::arg("squares"),
             nb::sig("def find(self, squares: collections.abc.Sequence[int]) -> list[Move]"),
             "The legal moves from the first square to the last that can be routed over those between, in "
             "order. Raises ValueError for fewer than two squares, and TooManyCaptures.");
    type.def("play", &play, nb::arg("move"), nb::sig("def play(self, move: Move) -> typing.Self"),
             "The position after a legal move, of the receiver's own class. Raises ValueError if it is not "
             "legal, and TooManyCaptures.");
    type.def("perft", &perft, nb::arg("depth"), nb::arg("bulk") = true,
             "The number of sequences of `depth` moves; `bulk` counts the last moves without making them. "
             "Other threads run meanwhile. Raises ValueError for a depth outside 0 to 100, and "
             "TooManyCaptures.");
    type.def("ending", &ending, nb::sig("def ending(self) -> tuple[str, bool] | None"),
             "How the position decides the game: the cause, and whether Black wins.");
}

void bind_value(Class& type) {
    type.def(
        "__eq__", [](PositionObject const& a, PositionObject const& b) { return a == b; }, nb::is_operator(),
        nb::sig("def __eq__(self, other: object, /) -> bool"));
    type.def("__hash__", &hash);
    type.def("__reduce__", &reduce, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
    type.def("__copy__", &itself, nb::sig("def __copy__(self) -> typing.Self"));
    type.def(
        "__deepcopy__", [](nb::handle self, nb::handle) { return itself(self); }, nb::arg("memo"),
        nb::sig("def __deepcopy__(self, memo: object, /) -> typing.Self"));
}

}  // namespace

void bind_position(nb::module_& module) {
    Class type(module, "Position",
               "A position. Two are equal, and hash alike, if they repeat under the laws.");
    bind_making(type);
    bind_pieces(type);
    bind_laws(type);
    bind_value(type);
}

}  // namespace crownhead::bind
