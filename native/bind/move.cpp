// crownhead._kernel.Move: a move in square numbers; its identity is origin, target, pieces taken, crowning.
#include <string>

#include "crownhead/hash.hpp"
#include "objects.hpp"

namespace crownhead::bind {
namespace {

// Arguments of other types are refused here, in words: the binding would answer with its own signature.
void init_move(MoveObject* self, nb::handle path, nb::handle captures, nb::handle crowns) {
    if (path.is_none()) {
        throw nb::type_error(
            "expected Move(path, captures=(), crowns=False) with numbers of squares, as in Move((11, 15)), "
            "got "
            "no path");
    }
    if (!PyBool_Check(crowns.ptr())) {
        PyErr_Format(PyExc_TypeError, "expected crowns to be True or False, got %R", crowns.ptr());
        throw nb::python_error();
    }
    auto const squares = read_numbers(path, highest_number, "the squares of a path, numbers");
    auto const taken = read_numbers(captures, highest_number, "squares of pieces taken, numbers");
    if (squares.size() != (taken.empty() ? 2 : taken.size() + 1)) {
        throw nb::value_error("expected a path of an origin and one landing square for each piece taken");
    }
    new (self) MoveObject(Ply{squares.front(), squares.back(), crowns.is(Py_True), taken, squares});
}

nb::object reduce_move(nb::handle_t<MoveObject> self) {
    auto const& move = nb::cast<MoveObject const&>(self);
    return nb::make_tuple(self.type(),
                          nb::make_tuple(to_tuple(move.path()), to_tuple(move.captures()), move.crowns));
}

nb::object repr(MoveObject const& move) {
    return nb::str("Move({!r}, {!r}, {!r})")
        .attr("format")(to_tuple(move.path()), to_tuple(move.captures()), move.crowns);
}

nb::str str(MoveObject const& move) {
    auto const* const between = move.captures().empty() ? "-" : "x";
    std::string text;
    for (auto square : move.path()) {
        if (!text.empty()) { text += between; }
        text += std::to_string(square);
    }
    return nb::str(text.data(), text.size());
}

Py_hash_t hash_of_move(MoveObject const& move) {
    return static_cast<Py_hash_t>(hash_words(
        {static_cast<std::uint64_t>(move.taken), static_cast<std::uint64_t>(move.taken >> 64),
         static_cast<std::uint64_t>(move.origin | move.target << 8 | (move.crowns ? 1 : 0) << 16)}));
}

}  // namespace

MoveObject::MoveObject(Ply const& ply)
    : taken{0}, origin{ply.origin}, target{ply.target}, crowns{ply.crowns} {
    if (ply.captures.empty()) { return; }
    route.reserve(ply.path.size() + ply.captures.size());
    route.insert(route.end(), ply.path.begin(), ply.path.end());
    route.insert(route.end(), ply.captures.begin(), ply.captures.end());
    for (auto number : ply.captures) { taken |= Wide{1} << (number - 1); }
}

std::vector<std::uint8_t> MoveObject::path() const {
    if (route.empty()) { return {origin, target}; }
    return {route.begin(), route.begin() + static_cast<std::ptrdiff_t>(route.size() / 2 + 1)};
}

std::span<std::uint8_t const> MoveObject::captures() const { return std::span{route}.last(route.size() / 2); }

void bind_move(nb::module_& module) {
    nb::class_<MoveObject>(module, "Move", nb::is_final(),
                           "A move. Two are equal if origin, target, set of pieces taken and crowning agree.")
        .def("__init__", &init_move, nb::arg("path") = nb::none(), nb::arg("captures") = nb::tuple(),
             nb::arg("crowns") = false,
             nb::sig("def __init__(self, path: collections.abc.Iterable[int], captures: "
                     "collections.abc.Iterable[int] = (), crowns: bool = False)"
                     " -> None"))
        .def_prop_ro(
            "origin", [](MoveObject const& move) { return move.origin; }, "The square it begins on.")
        .def_prop_ro(
            "target", [](MoveObject const& move) { return move.target; }, "The square it ends on.")
        .def_prop_ro(
            "crowns", [](MoveObject const& move) { return move.crowns; }, "Whether a man is crowned.")
        .def_prop_ro(
            "captures", [](MoveObject const& move) { return to_tuple(move.captures()); },
            nb::sig("def captures(self) -> tuple[int, ...]"), "The pieces taken, in the order taken.")
        .def_prop_ro(
            "path", [](MoveObject const& move) { return to_tuple(move.path()); },
            nb::sig("def path(self) -> tuple[int, ...]"),
            "Origin, landing squares, target. Where a king goes straight on between two captures, the square "
            "directly behind the first stands for the landing.")
        .def(
            "__eq__", [](MoveObject const& a, MoveObject const& b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", &hash_of_move)
        .def("__repr__", &repr, nb::sig("def __repr__(self) -> str"))
        .def("__str__", &str, nb::sig("def __str__(self) -> str"))
        .def("__reduce__", &reduce_move, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

}  // namespace crownhead::bind
