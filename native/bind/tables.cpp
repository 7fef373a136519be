// crownhead._kernel.Tables and the table builder: endgame tables of a variant.
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

nb::tuple counts_tuple(endgame::Counts const& counts) {
    return nb::make_tuple(counts.wins, counts.losses, counts.draws, counts.longest_win, counts.longest_loss);
}

nb::object probe(TablesObject const& self, PositionObject const& position) {
    if (!self.serve(*position.variant)) {
        throw nb::value_error("expected a position of the tables' own variant, got another's");
    }
    auto const found = self.tables().probe(position.state);
    if (!found) { return nb::none(); }
    return nb::make_tuple(sign(found->result), found->plies);
}

nb::tuple inventory(TablesObject const& self) {
    nb::list materials;
    for (auto const& one : self.tables().inventory()) {
        materials.append(nb::make_tuple(one.material.c_str(), one.pieces, one.distances, one.bytes,
                                        counts_tuple(one.counts)));
    }
    return nb::tuple(materials);
}

// Calls a Python function with each stage, and stops the work on its exception or a signal.
class StageListener {
  public:
    explicit StageListener(nb::object const& on_stage) : on_stage_{on_stage} {}

    bool operator()(endgame::Stage const& stage) {
        auto const now = std::chrono::steady_clock::now();
        if (!stage.finished && now - last_ < std::chrono::milliseconds{50}) { return true; }
        last_ = now;
        nb::gil_scoped_acquire const gil;
        if (PyErr_CheckSignals() != 0) { return false; }
        if (on_stage_.is_none()) { return true; }
        try {
            on_stage_(stage.material.c_str(), stage.done, stage.total, stage.part, stage.finished,
                      stage.existed, stage.checked, stage.wrong, counts_tuple(stage.counts));
        } catch (nb::python_error& error) {
            error.restore();
            return false;
        }
        return true;
    }

  private:
    nb::object const& on_stage_;
    std::chrono::steady_clock::time_point last_;
};

void require_support(Variant const& variant) {
    if (!variant.table_support().possible) {
        throw nb::value_error(
            "expected a variant that can have endgame tables, got one of jumps alone, or one on a board that "
            "the two sides see differently");
    }
}

void check_pieces(int pieces) {
    if (pieces < 2 || pieces > endgame::most_pieces) {
        refuse("expected 2 to %d pieces, got %d", endgame::most_pieces, pieces);
    }
}

// What the options of a build have in common; memory in bytes.
endgame::BuildOptions options_of(std::string_view folder, int pieces, int distances, std::uint64_t memory,
                                 int threads) {
    check_pieces(pieces);
    return {.folder = folder,
            .pieces = pieces,
            .distances = std::clamp(distances, 0, pieces),
            .memory = memory,
            .threads = std::max(threads, 1),
            .on_stage = {}};
}

template <auto Work>
void work(Variant const& variant, endgame::BuildOptions options, nb::object const& on_stage) {
    require_support(variant);
    StageListener listener{on_stage};
    options.on_stage = [&](endgame::Stage const& stage) { return listener(stage); };
    bool stopped = false;
    {
        nb::gil_scoped_release const released;
        try {
            (variant.*Work)(std::move(options));
        } catch (endgame::Stopped const&) { stopped = true; }
    }
    if (stopped) { throw nb::python_error(); }
}

void build(nb::handle variant, std::string_view folder, int pieces, int distances, std::uint64_t memory,
           int threads, nb::object const& on_stage) {
    work<&Variant::build_tables>(*variant_of(variant), options_of(folder, pieces, distances, memory, threads),
                                 on_stage);
}

void verify(nb::handle variant, std::string_view folder, int pieces, std::uint64_t memory, int threads,
            nb::object const& on_stage) {
    work<&Variant::verify_tables>(*variant_of(variant), options_of(folder, pieces, 0, memory, threads),
                                  on_stage);
}

nb::tuple project(nb::handle given, std::string_view folder, int pieces, int distances, std::uint64_t memory,
                  int threads) {
    auto const variant = variant_of(given);
    require_support(*variant);
    auto const found = variant->project_tables(options_of(folder, pieces, distances, memory, threads));
    return nb::make_tuple(found.materials, found.positions, found.memory, found.bytes, found.seconds);
}

nb::tuple table_support(nb::handle given) {
    auto const variant = variant_of(given);
    auto const& key = variant->row().tables_key;
    auto const support = variant->table_support();
    return nb::make_tuple(nb::str(key.data(), key.size()), support.possible, support.with_men);
}

void translate_file_error(std::exception_ptr const& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (std::filesystem::filesystem_error const& failed) {
        errno = failed.code().value();
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, failed.path1().c_str());
    }
}

}  // namespace

TablesObject::TablesObject(nb::handle variant, std::string_view folder) : variant_{variant_of(variant)} {
    require_support(*variant_);
    nb::gil_scoped_release const released;
    tables_ = variant_->open_tables(folder);
}

bool TablesObject::serve(Variant const& other) const {
    auto const& ours = variant_->row();
    auto const& theirs = other.row();
    return &ours == &theirs || (ours.rules == theirs.rules && ours.objective == theirs.objective);
}

void bind_tables(nb::module_& module) {
    nb::exception<endgame::BadFile>(module, "BadTable", PyExc_ValueError);
    nb::register_exception_translator(translate_file_error, nullptr);

    nb::class_<TablesObject>(module, "Tables", "The endgame tables of a folder, open for one variant.")
        .def(nb::init<nb::handle, std::string_view>(), nb::arg("variant"), nb::arg("folder"),
             nb::sig("def __init__(self, variant: Variant | str, folder: str) -> None"),
             "Open the files that are there. Raises BadTable, naming the file that is no table.")
        .def_prop_ro(
            "most", [](TablesObject const& self) { return self.tables().most(); },
            "The most pieces of a position that is known.")
        .def("probe", &probe, nb::arg("position"),
             nb::sig("def probe(self, position: Position) -> tuple[int, int | None] | None"),
             "The result (1 a win of the side to move, 0 a draw, -1 a loss) and the plies to the end; None: "
             "not known.")
        .def("inventory", &inventory,
             nb::sig("def inventory(self) -> tuple[tuple[str, int, bool, int, "
                     "tuple[int, int, int, int, int]], ...]"),
             "Of each material: name, pieces, whether distances are known, bytes, and (wins, losses, draws, "
             "longest win, longest loss).");

    module.def("table_support", &table_support, nb::arg("variant"),
               nb::sig("def table_support(variant: Variant | str) -> tuple[str, bool, bool]"),
               "The variant whose tables serve this one, whether there can be any, and whether with men.");
    module.def(
        "build_tables", &build, nb::arg("variant"), nb::arg("folder"), nb::arg("pieces"),
        nb::arg("distances"), nb::arg("memory"), nb::arg("threads") = 1, nb::arg("on_stage") = nb::none(),
        nb::sig("def build_tables"
                "(variant: Variant | str, folder: str, pieces: int, distances: int, memory: int, "
                "threads: int = 1, "
                "on_stage: collections.abc.Callable[[str, int, int, float, bool, bool, int, int, "
                "tuple[int, int, int, int, int]], object] | None = None) -> None"),
        "Build the tables of up to so many pieces that are missing, with distances up to fewer, results "
        "alone within so many bytes of memory. `on_stage` is called with (material, done, total, part, "
        "finished, existed, checked, wrong, counts).");
    module.def("verify_tables", &verify, nb::arg("variant"), nb::arg("folder"), nb::arg("pieces"),
               nb::arg("memory"), nb::arg("threads") = 1, nb::arg("on_stage") = nb::none(),
               nb::sig("def verify_tables"
                       "(variant: Variant | str, folder: str, pieces: int, memory: int, threads: int = 1, "
                       "on_stage: collections.abc.Callable[[str, int, int, float, bool, bool, int, int, "
                       "tuple[int, int, int, int, int]], object] | None = None) -> None"),
               "Compare every position with its successors; `on_stage` receives how many contradict them.");
    module.def(
        "project_tables", &project, nb::arg("variant"), nb::arg("folder"), nb::arg("pieces"),
        nb::arg("distances"), nb::arg("memory"), nb::arg("threads") = 1,
        nb::sig("def project_tables"
                "(variant: Variant | str, folder: str, pieces: int, distances: int, memory: int, "
                "threads: int = 1) -> tuple[int, int, int, int, float]"),
        "What a build will take: files to be made, their positions, bytes of memory, bytes on disk, and "
        "seconds.");
}

}  // namespace crownhead::bind
