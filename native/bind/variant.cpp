// crownhead._kernel.Variant: a variant of any rules, and the register of those that have a key.
#include <nanobind/stl/string.h>

#include <array>
#include <map>
#include <string>

#include "objects.hpp"

namespace crownhead::bind {
namespace {

// In the order of the enumerations.
constexpr std::array colours{"black", "white"};
constexpr std::array grids{"checkered", "full", "lines"};
constexpr std::array promotions{"stop", "pass", "carry_on"};
constexpr std::array priorities{"none",      "most_pieces", "most_value",
                                "with_king", "most_kings",  "kings_first"};
constexpr std::array removals{"after_move", "at_once"};
constexpr std::array landings{"anywhere", "behind", "behind_last_king"};
constexpr std::array crownings{"far_row", "far_corner", "never"};
constexpr std::array marks{"none", "mule", "parachutist"};
constexpr std::array objectives{"opponent_wins", "mover_wins"};

template <class Enumeration, std::size_t N>
Enumeration word(std::array<char const*, N> const& words, char const* name, nb::handle given) {
    for (std::size_t i = 0; i < N && PyUnicode_Check(given.ptr()); ++i) {
        if (PyUnicode_CompareWithASCIIString(given.ptr(), words[i]) == 0) {
            return static_cast<Enumeration>(i);
        }
    }
    std::string expected;
    for (auto const* one : words) { expected += std::string{expected.empty() ? "" : ", "} + one; }
    refuse("expected %s to be one of %s, got %R", name, expected.c_str(), given.ptr());
}

// The values of a dictionary by name; all of them must be asked for.
class Fields {
  public:
    explicit Fields(nb::dict const& values) : values_{values} {}

    nb::object value(char const* name) {
        auto* const found = PyDict_GetItemString(values_.ptr(), name);
        if (found == nullptr) { refuse("expected a value for %s, got none", name); }
        ++asked_;
        return nb::borrow(found);
    }
    int number(char const* name, int highest) {
        auto const given = value(name);
        int overflow = 0;
        long const number = PyLong_Check(given.ptr()) ? PyLong_AsLongAndOverflow(given.ptr(), &overflow) : -1;
        if (overflow != 0 || number < 0 || number > highest) {
            refuse("expected %s to be a number from 0 to %d, got %R", name, highest, given.ptr());
        }
        return static_cast<int>(number);
    }
    Directions directions(char const* name) { return static_cast<Directions>(number(name, 0xFF)); }
    bool flag(char const* name) {
        auto const given = value(name);
        if (!PyBool_Check(given.ptr())) {
            refuse("expected %s to be True or False, got %R", name, given.ptr());
        }
        return given.is(Py_True);
    }
    template <class Enumeration, std::size_t N>
    Enumeration one_of(std::array<char const*, N> const& words, char const* name) {
        return word<Enumeration>(words, name, value(name));
    }
    void require_all_known() const {
        if (asked_ == nb::len(values_)) { return; }
        refuse("expected %zu values that are known, got %zu: %R", asked_, nb::len(values_),
               values_.attr("keys")().ptr());
    }

  private:
    nb::dict const& values_;
    std::size_t asked_ = 0;
};

Board read_board(nb::handle given) {
    if (!PyDict_Check(given.ptr())) { refuse("expected board to be a dictionary, got %R", given.ptr()); }
    auto const values = nb::borrow<nb::dict>(given);
    Fields fields{values};
    constexpr int highest = 1000;  // what is too large is told with both sides
    Board const board{.width = fields.number("width", highest),
                      .height = fields.number("height", highest),
                      .grid = fields.one_of<Grid>(grids, "grid"),
                      .indented = fields.flag("indented"),
                      .white_lowers = fields.flag("white_lowers")};
    fields.require_all_known();
    return board;
}

std::array<Priority, 5> read_priority(nb::handle given) {
    std::array<Priority, 5> priority{};
    if (!PyTuple_Check(given.ptr()) || nb::len(given) > priority.size()) {
        refuse("expected priority to be a tuple of at most %zu words, got %R", priority.size(), given.ptr());
    }
    std::size_t count = 0;
    for (auto const component : nb::borrow<nb::tuple>(given)) {
        priority[count++] = word<Priority>(priorities, "priority", component);
    }
    return priority;
}

Rules read_rules(nb::dict const& given) {
    Fields fields{given};
    Rules const rules{.board = read_board(fields.value("board")),
                      .flying_king = fields.flag("flying_king"),
                      .man_steps = fields.directions("man_steps"),
                      .man_captures = fields.directions("man_captures"),
                      .man_goes_on = fields.directions("man_goes_on"),
                      .king_steps = fields.directions("king_steps"),
                      .king_captures = fields.directions("king_captures"),
                      .man_captures_king = fields.flag("man_captures_king"),
                      .promotion = fields.one_of<Promotion>(promotions, "promotion"),
                      .priority = read_priority(fields.value("priority")),
                      .removal = fields.one_of<Removal>(removals, "removal"),
                      .landing = fields.one_of<Landing>(landings, "landing"),
                      .may_reverse = fields.flag("may_reverse"),
                      .crowning = fields.one_of<Crowning>(crownings, "crowning"),
                      .marked = fields.one_of<Marked>(marks, "marked"),
                      .one_way = fields.flag("one_way"),
                      .lines_step = fields.flag("lines_step"),
                      .rests_on_far_row = fields.flag("rests_on_far_row"),
                      .jumps_only = fields.flag("jumps_only"),
                      .king_run = fields.number("king_run", 0xFF),
                      .first_king_wins = fields.flag("first_king_wins")};
    fields.require_all_known();
    return rules;
}

std::vector<std::uint8_t> read_start(nb::handle squares) {
    return read_numbers(squares, highest_number, "squares of the start, numbers");
}

void init_variant(VariantObject* self, std::string const& key, nb::dict const& rules, nb::handle objective,
                  nb::handle first, nb::handle black, nb::handle white, nb::handle marked,
                  std::uint64_t fingerprint, std::string const& tables_key, nb::object const& row,
                  bool specialised) {
    if (key.empty()) { throw nb::value_error("expected a key, got an empty text"); }
    VariantRow known{.key = key,
                     .rules = read_rules(rules),
                     .objective = word<Objective>(objectives, "objective", objective),
                     .first = word<Colour>(colours, "first", first),
                     .black = read_start(black),
                     .white = read_start(white),
                     .marked = read_start(marked),
                     .fingerprint = fingerprint,
                     .tables_key = tables_key};
    // What is handed out again must not change with what was passed.
    auto copied = nb::steal<nb::dict>(PyDict_Copy(rules.ptr()));
    copied["board"] = nb::steal(PyDict_Copy(nb::object(rules["board"]).ptr()));
    auto const arguments =
        nb::make_tuple(key, copied, objective, first, to_tuple(known.black), to_tuple(known.white),
                       to_tuple(known.marked), fingerprint, tables_key);
    new (self) VariantObject{Variant{std::move(known), specialised}, arguments, row};
}

nb::object reduce_variant(nb::handle_t<VariantObject> self) {
    auto const& object = *nb::inst_ptr<VariantObject>(self);
    bool const compiled = object.variant.is_specialised();
    return nb::make_tuple(self.type(), object.arguments + nb::make_tuple(object.row, compiled));
}

Py_hash_t hash_of_variant(VariantObject const& self) {
    auto const& row = self.variant.row();
    return static_cast<Py_hash_t>(std::hash<std::string>{}(row.key) ^ row.fingerprint);
}

// The variants that a key stands for. Never destroyed: at exit, Python's objects go before C++'s.
auto& registered() {
    static auto& variants = *new std::map<std::string, VariantRef, std::less<>>;
    return variants;
}

void register_variants(nb::iterable const& variants) {
    for (auto const given : variants) {
        VariantRef const variant{nb::borrow(given)};
        auto const& [listed, is_new] = registered().try_emplace(variant->row().key, variant);
        if (!is_new && !(listed->second == variant)) {
            refuse("expected one variant for the key %s, got another", variant->row().key.c_str());
        }
    }
}

}  // namespace

VariantRef::VariantRef(nb::object object) : object_{std::move(object)} {
    if (!nb::isinstance<VariantObject>(object_) || !nb::inst_ready(object_)) {
        PyErr_Format(PyExc_TypeError, "expected a Variant or its key, got %s",
                     Py_TYPE(object_.ptr())->tp_name);
        throw nb::python_error();
    }
    variant_ = &nb::inst_ptr<VariantObject>(object_)->variant;
}

bool VariantRef::equals(VariantRef const& other) const {
    auto const& row = nb::inst_ptr<VariantObject>(object_)->row;
    return variant_->row() == other->row() && row.equal(nb::inst_ptr<VariantObject>(other.object_)->row);
}

VariantRef variant_of(nb::handle given) {
    if (!PyUnicode_Check(given.ptr())) { return VariantRef{nb::borrow(given)}; }
    Py_ssize_t length = 0;
    char const* const key = PyUnicode_AsUTF8AndSize(given.ptr(), &length);
    if (key == nullptr) { throw nb::python_error(); }
    auto const found = registered().find(std::string_view{key, static_cast<std::size_t>(length)});
    if (found == registered().end()) { refuse("expected the key of a variant, got %R", given.ptr()); }
    return found->second;
}

bool is_registered(VariantRef const& variant) {
    auto const found = registered().find(variant->row().key);
    return found != registered().end() && found->second == variant;
}

void bind_variant(nb::module_& module) {
    nb::class_<VariantObject>(
        module, "Variant", nb::is_final(),
        "A variant of any rules. Two are equal if they play alike under one key, and their rows are equal.")
        .def("__init__", &init_variant, nb::arg("key"), nb::arg("rules"), nb::arg("objective"),
             nb::arg("first"), nb::arg("black"), nb::arg("white"), nb::arg("marked"), nb::arg("fingerprint"),
             nb::arg("tables_key"), nb::arg("row") = nb::none(), nb::arg("specialised") = true,
             nb::sig(
                 "def __init__(self, key: str, rules: collections.abc.Mapping[str, object], "
                 "objective: str, first: str, black: collections.abc.Iterable[int], "
                 "white: collections.abc.Iterable[int], marked: collections.abc.Iterable[int], "
                 "fingerprint: int, tables_key: str, row: object = None, specialised: bool = True) -> None"),
             "The fields are those of `crownhead.rules.kernel_row`; `row` is kept as it is. `specialised`: "
             "false to play by the code that takes any rules, even where there is code for these. Raises "
             "ValueError for rules that cannot be played and for a start that they do not allow.")
        .def_prop_ro(
            "key", [](VariantObject const& self) { return self.variant.row().key; }, "Its key.")
        .def_prop_ro(
            "row", [](VariantObject const& self) { return self.row; }, nb::sig("def row(self) -> typing.Any"),
            "What it was made from.")
        .def_prop_ro(
            "compiled", [](VariantObject const& self) { return self.variant.is_specialised(); },
            "Whether code that was compiled for its rules plays it.")
        .def_prop_ro(
            "fingerprint", [](VariantObject const& self) { return self.variant.row().fingerprint; },
            "Of what its endgame tables depend on.")
        .def(
            "__eq__",
            [](nb::handle_t<VariantObject> a, nb::handle_t<VariantObject> b) {
                return VariantRef{nb::borrow(a)} == VariantRef{nb::borrow(b)};
            },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", &hash_of_variant)
        .def("__repr__", [](VariantObject const& self) { return "<Variant " + self.variant.row().key + ">"; })
        .def("__reduce__", &reduce_variant, nb::sig("def __reduce__(self) -> tuple[object, ...]"))
        .def("__copy__", &itself, nb::sig("def __copy__(self) -> typing.Self"))
        .def(
            "__deepcopy__", [](nb::handle self, nb::handle) { return itself(self); }, nb::arg("memo"),
            nb::sig("def __deepcopy__(self, memo: object, /) -> typing.Self"));
    module.def("register_variants", &register_variants, nb::arg("variants"),
               nb::sig("def register_variants(variants: collections.abc.Iterable[Variant]) -> None"),
               "Let the keys of variants stand for them from now on. Raises ValueError for a key that stands "
               "for another.");
}

}  // namespace crownhead::bind
