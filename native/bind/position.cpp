// crownhead._kernel.Position: an immutable position of any variant, and its queries.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "crownhead/arrangement.hpp"
#include "crownhead/hash.hpp"
#include "objects.hpp"

namespace crownhead::bind {
namespace {

constexpr int deepest = 100;

// ------------------------------------------------------------------------------------ making one
void require(std::string const& fault) {
    if (!fault.empty()) { refuse("%s", fault.c_str()); }
}

void place(PositionObject& position, Colour colour, Kind kind, nb::handle squares) {
    auto const& laws = position.laws();
    for (int const number : read_numbers(squares, laws.squares(), "square numbers")) {
        require(fault_of(laws, position.state, colour, kind, number));
        crownhead::place(laws, position.state, colour, kind, number);
    }
}

// Notes how often a side has moved the same king in a row.
void run(PositionObject& position, Colour colour, nb::handle given) {
    auto const [square, steps] = nb::cast<std::pair<int, int>>(given);
    require(fault_of_run(position.laws(), position.state, colour, square, steps));
    place_run(position.laws(), position.state, colour, square, steps);
}

void init_position(PositionObject* self, nb::handle variant, bool black_to_move, nb::handle black_men,
                   nb::handle black_kings, nb::handle white_men, nb::handle white_kings,
                   nb::handle black_marked, nb::handle white_marked, nb::handle black_king_run,
                   nb::handle white_king_run) {
    PositionObject position{{.own = 0,
                             .theirs = 0,
                             .kings = 0,
                             .marks = 0,
                             .turn = black_to_move ? Colour::black : Colour::white},
                            variant_of(variant)};
    place(position, Colour::black, Kind::man, black_men);
    place(position, Colour::black, Kind::king, black_kings);
    place(position, Colour::white, Kind::man, white_men);
    place(position, Colour::white, Kind::king, white_kings);
    place(position, Colour::black, Kind::marked, black_marked);
    place(position, Colour::white, Kind::marked, white_marked);
    run(position, Colour::black, black_king_run);
    run(position, Colour::white, white_king_run);
    new (self) PositionObject(std::move(position));
}

// ------------------------------------------------------------------------------- looking at one
template <Colour C, Kind K>
nb::tuple squares(PositionObject const& position) {
    auto const& state = position.state;
    Wide set = C == state.turn ? state.own : state.theirs;
    if constexpr (K == Kind::man) { set &= ~(state.kings | state.marks); }
    if constexpr (K == Kind::king) { set &= state.kings; }
    if constexpr (K == Kind::marked) { set &= state.marks; }
    std::array<std::uint8_t, 128> numbers;
    std::size_t count = 0;
    for (auto one : Squares<Wide>{set}) { numbers[count++] = position.laws().number(lowest_bit(one.bits())); }
    return to_tuple(std::span{numbers}.first(count));
}

// The pieces of both sides, White's first, as texts ready to be joined: by kind of piece and square number.
class Written {
  public:
    Written(PositionObject const& position, nb::tuple const& texts) : position_{position}, texts_{texts} {}

    nb::str fen() {
        text_ += position_.state.turn == Colour::black ? 'B' : 'W';
        side(Colour::white, ":W");
        side(Colour::black, ":B");
        return nb::str(text_.data(), text_.size());
    }

  private:
    void side(Colour colour, char const* opening) {
        auto const& state = position_.state;
        text_ += opening;
        bool first = true;
        for (auto one : Squares<Wide>{colour == state.turn ? state.own : state.theirs}) {
            if (!std::exchange(first, false)) { text_ += ','; }
            auto const bit = one.bits();
            std::size_t const kind = (state.kings & bit) != 0 ? 1 : (state.marks & bit) != 0 ? 2 : 0;
            nb::object const by_number = texts_[kind];
            nb::object const text = by_number[position_.laws().number(lowest_bit(bit))];
            Py_ssize_t length = 0;
            char const* const characters = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
            if (characters == nullptr) { throw nb::python_error(); }
            text_.append(characters, static_cast<std::size_t>(length));
        }
    }

    PositionObject const& position_;
    nb::tuple const& texts_;
    std::string text_;
};

nb::str written(PositionObject const& position, nb::tuple const& texts) {
    return Written{position, texts}.fen();
}

template <Colour C>
nb::tuple king_run(PositionObject const& position) {
    auto const& state = position.state;
    auto const king = C == state.turn ? state.own_run : state.their_run;
    int const steps = C == state.turn ? state.own_steps : state.their_steps;
    return nb::make_tuple(king == 0 ? 0 : int{position.laws().number(lowest_bit(king))}, steps);
}

Py_hash_t hash_of_position(PositionObject const& position) {
    auto const& state = position.state;
    auto const low = [](Wide word) { return static_cast<std::uint64_t>(word); };
    auto const high = [](Wide word) { return static_cast<std::uint64_t>(word >> 64); };
    auto const turn = static_cast<std::uint64_t>(state.turn) | std::uint64_t{state.own_steps} << 8 |
                      std::uint64_t{state.their_steps} << 16;
    if (high(state.own | state.theirs) == 0) {
        return static_cast<Py_hash_t>(
            hash_words({turn, low(state.own), low(state.theirs), low(state.kings), low(state.marks)}));
    }
    return static_cast<Py_hash_t>(
        hash_words({turn, low(state.own), low(state.theirs), low(state.kings), low(state.marks),
                    high(state.own), high(state.theirs), high(state.kings), high(state.marks)}));
}

nb::str key_of(PositionObject const& position) {
    auto const& key = position.variant->row().key;
    return nb::str(key.data(), key.size());
}

nb::object key_or_variant(PositionObject const& position) {
    return is_registered(position.variant) ? nb::object(key_of(position)) : position.variant.object();
}

nb::object reduce_position(nb::handle_t<PositionObject> self) {
    auto const& position = nb::cast<PositionObject const&>(self);
    return nb::make_tuple(
        self.type(),
        nb::make_tuple(
            key_or_variant(position), position.state.turn == Colour::black,
            squares<Colour::black, Kind::man>(position), squares<Colour::black, Kind::king>(position),
            squares<Colour::white, Kind::man>(position), squares<Colour::white, Kind::king>(position),
            squares<Colour::black, Kind::marked>(position), squares<Colour::white, Kind::marked>(position),
            king_run<Colour::black>(position), king_run<Colour::white>(position)));
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
        for (auto& move : moves_) { put(tuple, i++, move.release().ptr()); }
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
    require(position.laws().legal_moves(position.state, PlyVisitor{moves}, capture_budget()));
    return moves.tuple();
}

nb::list find(PositionObject const& position, nb::handle named) {
    auto const squares = read_numbers(named, 255, "square numbers");
    if (squares.size() < 2) { throw nb::value_error("expected an origin and a target at least"); }
    Moves moves{1};
    if (std::ranges::all_of(squares, [&](int number) { return number <= position.laws().squares(); })) {
        require(position.laws().find(position.state, squares, PlyVisitor{moves}, capture_budget()));
    }
    return moves.list();
}

nb::object play(nb::handle_t<PositionObject> self, MoveObject const& move) {
    auto const& position = *nb::inst_ptr<PositionObject>(self);
    PositionObject next{position};
    Ply const ply{move.origin, move.target, move.crowns, move.captures(), {}};
    auto const verdict = position.laws().play(position.state, ply, next.state, capture_budget());
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
    if (bare && position.variant->stuck_wins()) { decision.mover_wins = true; }
    bool const black_moves = position.state.turn == Colour::black;
    return nb::make_tuple(name(decision.cause), decision.mover_wins == black_moves);
}

// --------------------------------------------------------------------------------- the Python type
using Class = nb::class_<PositionObject>;

void bind_making(Class& type) {
    type.def("__init__", &init_position, nb::arg("variant"), nb::arg("black_to_move"), nb::arg("black_men"),
             nb::arg("black_kings"), nb::arg("white_men"), nb::arg("white_kings"),
             nb::arg("black_marked") = nb::tuple(), nb::arg("white_marked") = nb::tuple(),
             nb::arg("black_king_run") = nb::make_tuple(0, 0),
             nb::arg("white_king_run") = nb::make_tuple(0, 0),
             nb::sig("def __init__(self, variant: Variant | str, black_to_move: bool, "
                     "black_men: collections.abc.Iterable[int], black_kings: collections.abc.Iterable[int], "
                     "white_men: collections.abc.Iterable[int], white_kings: collections.abc.Iterable[int], "
                     "black_marked: collections.abc.Iterable[int] = (), "
                     "white_marked: collections.abc.Iterable[int] = (), "
                     "black_king_run: tuple[int, int] = (0, 0), "
                     "white_king_run: tuple[int, int] = (0, 0)) -> None"),
             "Runs are a square and how many steps in a row its king has made. Raises ValueError for an "
             "unknown variant, a square off the board or used twice, a man where it would have been crowned, "
             "and marks or runs that the variant does not know.");
}

void bind_pieces(Class& type) {
    type.def_prop_ro("variant_key", &key_of, "The key of the variant.");
    type.def_prop_ro(
        "kernel_variant", [](PositionObject const& position) { return position.variant.object(); },
        nb::sig("def kernel_variant(self) -> Variant"), "The variant.");
    type.def_prop_ro(
        "black_to_move", [](PositionObject const& position) { return position.state.turn == Colour::black; },
        "Whether it is Black's turn.");
    auto const numbers = [&](char const* name, auto getter, char const* signature, char const* doc) {
        type.def_prop_ro(name, getter, nb::sig(signature), doc);
    };
    numbers("black_men", &squares<Colour::black, Kind::man>, "def black_men(self) -> tuple[int, ...]",
            "The squares of Black's men, ascending, marked ones not among them.");
    numbers("black_kings", &squares<Colour::black, Kind::king>, "def black_kings(self) -> tuple[int, ...]",
            "The squares of Black's kings, ascending.");
    numbers("white_men", &squares<Colour::white, Kind::man>, "def white_men(self) -> tuple[int, ...]",
            "The squares of White's men, ascending, marked ones not among them.");
    numbers("white_kings", &squares<Colour::white, Kind::king>, "def white_kings(self) -> tuple[int, ...]",
            "The squares of White's kings, ascending.");
    numbers("black_marked", &squares<Colour::black, Kind::marked>,
            "def black_marked(self) -> tuple[int, ...]",
            "The squares of Black's marked men, ascending, where the variant marks some.");
    numbers("white_marked", &squares<Colour::white, Kind::marked>,
            "def white_marked(self) -> tuple[int, ...]",
            "The squares of White's marked men, ascending, where the variant marks some.");
    numbers("black_king_run", &king_run<Colour::black>, "def black_king_run(self) -> tuple[int, int]",
            "The square of the king that Black moved last and its steps in a row; (0, 0) for none.");
    numbers("white_king_run", &king_run<Colour::white>, "def white_king_run(self) -> tuple[int, int]",
            "The square of the king that White moved last and its steps in a row; (0, 0) for none.");
}

void bind_laws(Class& type) {
    type.def("legal_moves", &legal_moves, nb::sig("def legal_moves(self) -> tuple[Move, ...]"),
             "All legal moves, ascending by path; none if the position decides the game. Raises "
             "TooManyCaptures.");
    type.def(
        "written", &written, nb::arg("texts"),
        nb::sig("def written(self, texts: tuple[collections.abc.Sequence[str], ...]) -> str"),
        "The side to move and the pieces, as a FEN has them; `texts` by kind (man, king, marked man) and "
        "square number. Raises IndexError for a text that is missing.");
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
    type.def("__hash__", &hash_of_position);
    type.def("__reduce__", &reduce_position, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
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
