// The extension module crownhead._kernel: immutable types, the engine, its tables and the errors.
#include "objects.hpp"

namespace crownhead::bind {
namespace {

void require_processor() {
#if defined(__x86_64__) && defined(__POPCNT__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("popcnt")) {
        throw nb::import_error(
            "crownhead needs an x86-64 processor with popcnt; build it here from source with "
            "the CMake option CROWNHEAD_ARCH left empty");
    }
#endif
}

}  // namespace

std::vector<std::uint8_t> read_numbers(nb::handle iterable, int highest, char const* what) {
    if (!nb::isinstance<nb::iterable>(iterable)) {
        PyErr_Format(PyExc_TypeError, "expected %s from 1 to %d, got %R", what, highest, iterable.ptr());
        throw nb::python_error();
    }
    nb::tuple const items{iterable};
    std::vector<std::uint8_t> numbers;
    numbers.reserve(items.size());
    for (nb::handle const item : items) {
        int overflow = 0;
        long const number = PyLong_Check(item.ptr()) ? PyLong_AsLongAndOverflow(item.ptr(), &overflow) : 0;
        if (number < 1 || number > highest) {
            PyErr_Format(PyExc_ValueError, "expected %s from 1 to %d, got %R", what, highest, item.ptr());
            throw nb::python_error();
        }
        numbers.push_back(static_cast<std::uint8_t>(number));
    }
    return numbers;
}

nb::tuple to_tuple(std::span<std::uint8_t const> numbers) {
    auto tuple = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
    if (!tuple.is_valid()) { throw nb::python_error(); }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        put(tuple, static_cast<Py_ssize_t>(i), PyLong_FromLong(numbers[i]));
    }
    return tuple;
}

}  // namespace crownhead::bind

NB_MODULE(_kernel, module) {
    using namespace crownhead::bind;
    require_processor();
    // At exit the interpreter may keep a position alive in a cache or a traceback; that is not a leak.
    nanobind::set_leak_warnings(false);
    module.doc() = "The laws of every variant at speed; squares are the variant's own numbers.";
    nb::exception<TooManyCaptures>(module, "TooManyCaptures", PyExc_ValueError);
    bind_budget(module);
    bind_variant(module);
    bind_move(module);
    bind_position(module);
    bind_draws(module);
    bind_record(module);
    bind_tables(module);
    bind_engine(module);
}
