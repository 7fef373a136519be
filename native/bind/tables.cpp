// crownhead._kernel.Tables and what makes them: endgame tables of a variant.
#include "tables.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <cerrno>
#include <chrono>
#include <exception>
#include <system_error>

namespace crownhead::bind {

namespace {

// Results as Python knows them: 1 won, 0 drawn, -1 lost.
int sign(endgame::Result result) {
    return result == endgame::Result::win ? 1 : result == endgame::Result::loss ? -1 : 0;
}

nb::tuple counted(endgame::Counts const& counts) {
    return nb::make_tuple(counts.wins, counts.losses, counts.draws, counts.longest_win, counts.longest_loss);
}

nb::object probed(TablesObject const& self, PositionObject const& position) {
    if (position.variant->fingerprint != self.variant().fingerprint) {
        throw nb::value_error("expected a position of the tables' own variant, got another's");
    }
    auto const verdict = self.tables().probe(position.state);
    if (!verdict) { return nb::none(); }
    return nb::make_tuple(sign(verdict->result), verdict->plies);
}

nb::tuple held(TablesObject const& self) {
    nb::list materials;
    for (auto const& one : self.tables().held()) {
        materials.append(
            nb::make_tuple(one.material.c_str(), one.pieces, one.distances, one.bytes, counted(one.counts)));
    }
    return nb::tuple(materials);
}

// Lets Python hear of each stage, and stop the work by an exception or a signal.
class Listener {
  public:
    explicit Listener(nb::object const& tell) : tell_{tell} {}

    bool operator()(endgame::Stage const& stage) {
        auto const now = std::chrono::steady_clock::now();
        if (!stage.finished && now - last_ < std::chrono::milliseconds{50}) { return true; }
        last_ = now;
        nb::gil_scoped_acquire const gil;
        if (PyErr_CheckSignals() != 0) { return false; }
        if (tell_.is_none()) { return true; }
        try {
            tell_(stage.material.c_str(), stage.done, stage.total, stage.part, stage.finished,
                  stage.was_there, stage.checked, stage.wrong, counted(stage.counts));
        } catch (nb::python_error& error) {
            error.restore();
            return false;
        }
        return true;
    }

  private:
    nb::object const& tell_;
    std::chrono::steady_clock::time_point last_;
};

template <auto Work>
void work(std::string_view key, std::string_view folder, int pieces, int threads, nb::object const& tell) {
    auto const& variant = find_variant(key);
    if (!variant.endgames->possible) {
        throw nb::value_error("expected a variant whose endings can be tabled, got one of jumps alone");
    }
    if (pieces < 2 || pieces > endgame::most_pieces) {
        PyErr_Format(PyExc_ValueError, "expected 2 to %d pieces, got %d", endgame::most_pieces, pieces);
        throw nb::python_error();
    }
    Listener listener{tell};
    endgame::Task task{.folder = folder,
                       .fingerprint = variant.fingerprint,
                       .stuck_wins = variant.objective == Objective::mover_wins,
                       .pieces = pieces,
                       .threads = std::max(threads, 1),
                       .goes_on = [&](endgame::Stage const& stage) { return listener(stage); }};
    bool stopped = false;
    {
        nb::gil_scoped_release const released;
        try {
            (variant.endgames->*Work)(task);
        } catch (endgame::Stopped const&) { stopped = true; }
    }
    if (stopped) { throw nb::python_error(); }
}

nb::tuple endings_of(std::string_view key) {
    auto const& variant = find_variant(key);
    return nb::make_tuple(nb::str(variant.tabled_as.data(), variant.tabled_as.size()),
                          variant.endgames->possible, variant.endgames->with_men);
}

void translate(std::exception_ptr const& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (std::filesystem::filesystem_error const& failed) {
        errno = failed.code().value();
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, failed.path1().c_str());
    }
}

}  // namespace

TablesObject::TablesObject(std::string_view variant, std::string_view folder)
    : variant_{find_variant(variant)} {
    if (!variant_.endgames->possible) {
        throw nb::value_error("expected a variant whose endings can be tabled, got one of jumps alone");
    }
    nb::gil_scoped_release const released;
    tables_ =
        variant_.endgames->open(folder, variant_.fingerprint, variant_.objective == Objective::mover_wins);
}

void bind_tables(nb::module_& module) {
    nb::exception<endgame::BadFile>(module, "BadTable", PyExc_ValueError);
    nb::register_exception_translator(translate, nullptr);

    nb::class_<TablesObject>(module, "Tables", "The endgame tables of a folder, open for one variant.")
        .def(nb::init<std::string_view, std::string_view>(), nb::arg("variant"), nb::arg("folder"),
             "Open what is there. Raises BadTable, naming the file that is none.")
        .def_prop_ro(
            "most", [](TablesObject const& self) { return self.tables().most(); },
            "No position of more pieces is known.")
        .def("probe", &probed, nb::arg("position"),
             nb::sig("def probe(self, position: Position) -> tuple[int, int | None] | None"),
             "Who wins (1 the side to move, 0 nobody, -1 the other) and in how many plies; None: not known.")
        .def("held", &held,
             nb::sig("def held(self) -> tuple[tuple[str, int, bool, int, "
                     "tuple[int, int, int, int, int]], ...]"),
             "Of each material: name, pieces, whether distances are known, bytes, and (wins, losses, draws, "
             "longest win, longest loss).");

    module.def("endings_of", &endings_of, nb::arg("variant"),
               nb::sig("def endings_of(variant: str) -> tuple[str, bool, bool]"),
               "The variant whose tables these are, whether there can be any, and whether with men.");
    module.def("build_tables", &work<&endgame::Endgames::build>, nb::arg("variant"), nb::arg("folder"),
               nb::arg("pieces"), nb::arg("threads") = 1, nb::arg("tell") = nb::none(),
               nb::sig("def build_tables"
                       "(variant: str, folder: str, pieces: int, threads: int = 1, "
                       "tell: collections.abc.Callable[[str, int, int, float, bool, bool, int, int, "
                       "tuple[int, int, int, int, int]], object] | None = None) -> None"),
               "Make the tables of up to so many pieces that are not there. `tell` hears of (material, done, "
               "total, part, finished, was there, checked, wrong, counts).");
    module.def("verify_tables", &work<&endgame::Endgames::verify>, nb::arg("variant"), nb::arg("folder"),
               nb::arg("pieces"), nb::arg("threads") = 1, nb::arg("tell") = nb::none(),
               nb::sig("def verify_tables"
                       "(variant: str, folder: str, pieces: int, threads: int = 1, "
                       "tell: collections.abc.Callable[[str, int, int, float, bool, bool, int, int, "
                       "tuple[int, int, int, int, int]], object] | None = None) -> None"),
               "Compare every position with its successors; `tell` hears of those that are wrong.");
}

}  // namespace crownhead::bind
