// The objects behind the Python types, and how squares are converted.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <vector>

#include "crownhead/variant.hpp"

namespace crownhead::bind {

namespace nb = nanobind;

// A variant with the Python row it was made from, any object.
struct VariantObject {
    Variant variant;
    nb::tuple arguments;  // of its constructor, the row and whether it may be specialised apart
    nb::object row;
};

// Keeps the Python object of a variant, and hence the variant, alive.
class VariantRef {
  public:
    // Raises TypeError where it is none.
    explicit VariantRef(nb::object object);

    Variant const& operator*() const { return *variant_; }
    Variant const* operator->() const { return variant_; }
    nb::object const& object() const { return object_; }
    // Whether they play alike and were made from equal rows.
    friend bool operator==(VariantRef const& a, VariantRef const& b) {
        return a.variant_ == b.variant_ || a.equals(b);
    }

  private:
    bool equals(VariantRef const& other) const;

    nb::object object_;
    Variant const* variant_;
};

// The variant itself, or the one that is registered for a key. Raises ValueError or TypeError.
VariantRef variant_of(nb::handle given);
// Whether that key stands for the variant.
bool is_registered(VariantRef const& variant);

struct PositionObject {
    State state;
    VariantRef variant;

    Laws const& laws() const { return variant->laws(); }
    friend bool operator==(PositionObject const&, PositionObject const&) = default;
};

struct MoveObject {
    Wide taken;  // the square with number n is bit n - 1; a set is compared in one step
    std::uint8_t origin;
    std::uint8_t target;
    bool crowns;
    std::vector<std::uint8_t> route;  // of a capture: the path, then the captures; else empty

    explicit MoveObject(Ply const& ply);

    std::vector<std::uint8_t> path() const;
    std::span<std::uint8_t const> captures() const;
    friend bool operator==(MoveObject const& a, MoveObject const& b) {
        return a.taken == b.taken && a.origin == b.origin && a.target == b.target && a.crowns == b.crowns;
    }
};

struct TooManyCaptures : std::exception {
    char const* what() const noexcept override {
        return "expected a board whose captures can be counted, got one with too many routes";
    }
};

// Of a capture search that Python asks for in this thread.
Budget capture_budget();

// Raises ValueError; the format is that of PyErr_Format.
[[noreturn]] void refuse(char const* format, auto... values) {
    PyErr_Format(PyExc_ValueError, format, values...);
    throw nb::python_error();
}

constexpr int highest_number = 128;  // of a square, on the largest board

// The numbers in a Python iterable. Raises ValueError, naming `what` was expected.
std::vector<std::uint8_t> read_numbers(nb::handle iterable, int highest, char const* what);
nb::tuple to_tuple(std::span<std::uint8_t const> numbers);

// The copy of an object that never changes.
inline nb::object itself(nb::handle self) { return nb::borrow(self); }

// Fills a place of a tuple that has just been made; the tuple owns the item from then on.
inline void put(nb::tuple const& tuple, Py_ssize_t place, PyObject* item) {
#if defined(Py_LIMITED_API)
    PyTuple_SetItem(tuple.ptr(), place, item);
#else
    PyTuple_SET_ITEM(tuple.ptr(), place, item);
#endif
}

// A new Python object of `type`, holding `value`.
template <class T>
nb::object make_instance(nb::handle type, T&& value) {
    using Value = std::remove_cvref_t<T>;
    nb::object instance = nb::inst_alloc(type);
    new (nb::inst_ptr<Value>(instance)) Value(std::forward<T>(value));
    nb::inst_mark_ready(instance);
    return instance;
}

void bind_budget(nb::module_& module);
void bind_variant(nb::module_& module);
void bind_move(nb::module_& module);
void bind_position(nb::module_& module);
void bind_draws(nb::module_& module);
void bind_record(nb::module_& module);
void bind_tables(nb::module_& module);
void bind_engine(nb::module_& module);

}  // namespace crownhead::bind
