// crownhead._kernel.Searcher and Trainer: the search of a variant, and the training of its weights.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "tables.hpp"

namespace crownhead::bind {
namespace {

using engine::TaperedWeight;

// Weights as bytes: a pair of 16-bit numbers, low byte first, for each feature.
std::vector<TaperedWeight> read_weights(std::size_t features, nb::bytes const& bytes) {
    std::vector<TaperedWeight> weights;
    if (bytes.size() == 0) { return weights; }
    if (bytes.size() != features * sizeof(TaperedWeight)) {
        refuse("expected no weights or %zu bytes of them, got %zu", features * sizeof(TaperedWeight),
               bytes.size());
    }
    weights.resize(features);
    std::memcpy(weights.data(), bytes.c_str(), bytes.size());
    return weights;
}

// The same, behind which a network may lie.
engine::Weights read_weights_and_network(Variant const& variant, nb::bytes const& bytes) {
    int const squares = Layout{variant.row().rules.board}.squares();
    auto read = engine::Weights::read({bytes.c_str(), bytes.size()}, variant.features(), squares);
    return read ? std::move(*read) : read_weights(variant.features(), bytes);  // which refuses them
}

std::vector<State> states_of(Variant const& variant, nb::sequence const& positions) {
    std::vector<State> states;
    for (auto const& given : positions) {
        auto const& position = nb::cast<PositionObject const&>(given);
        if (&*position.variant != &variant && position.variant->row().rules != variant.row().rules) {
            throw nb::value_error("expected positions of the engine's own variant, got another's");
        }
        states.push_back(position.state);
    }
    if (states.empty()) { throw nb::value_error("expected at least one position, got none"); }
    return states;
}

endgame::Tables const* tables_of(Variant const& variant, TablesObject const* given) {
    if (given == nullptr) { return nullptr; }
    if (!given->serve(variant)) {
        throw nb::value_error("expected endgame tables of the engine's own variant, got another's");
    }
    return &given->tables();
}

bool no_signal_pending() {
    nb::gil_scoped_acquire const gil;
    return PyErr_CheckSignals() == 0;
}

nb::list lines_of(engine::Report const& report) {
    nb::list lines;
    for (auto const& line : report.lines) {
        nb::list moves;
        for (auto const& move : line.moves) {
            moves.append(
                nb::make_tuple(int{move.origin}, int{move.target}, move.crowns, to_tuple(move.captures)));
        }
        lines.append(nb::make_tuple(line.score, line.bound == engine::Bound::none, nb::tuple(moves)));
    }
    return lines;
}

nb::tuple report_tuple(engine::Report const& report) {
    return nb::make_tuple(report.depth, report.selective_depth, report.nodes, report.seconds,
                          nb::tuple(lines_of(report)));
}

// Raises ValueError for a name that there is not, or a value that makes no sense.
engine::Margins margins_of(nb::dict const& values) {
    engine::Margins margins;
    for (auto const [key, value] : values) {
        auto const name = nb::cast<std::string>(key);
        auto const number = nb::cast<int>(value);
        auto const* const found = std::ranges::find(engine::named_margins, name, &engine::NamedMargin::name);
        if (found == engine::named_margins.end()) {
            refuse("expected the name of a margin, got '%s'", name.c_str());
        }
        if (number < found->least || number > found->most) {
            refuse("expected %s from %d to %d, got %d", name.c_str(), found->least, found->most, number);
        }
        margins.*found->value = number;
    }
    return margins;
}

nb::dict margins_by_name() {
    engine::Margins const margins;
    nb::dict named;
    for (auto const& one : engine::named_margins) {
        named[nb::str(one.name.data(), one.name.size())] =
            nb::make_tuple(margins.*one.value, one.least, one.most);
    }
    return named;
}

// One search at a time; `stop` may come from any thread.
class SearcherObject {
  public:
    SearcherObject(nb::handle variant, std::size_t megabytes, nb::bytes const& weights)
        : variant_{variant_of(variant)},
          searcher_{variant_->make_searcher(megabytes, read_weights_and_network(*variant_, weights))} {}

    nb::tuple search(nb::sequence const& game, engine::Limits const& limits, TablesObject const* tables,
                     nb::object const& on_report) {
        auto const states = states_of(*variant_, game);
        auto const* const endgames = tables_of(*variant_, tables);
        bool interrupted = false;
        auto last_check = engine::Clock::now();
        engine::SearchControl control{
            limits,
            [&] {
                if (engine::Clock::now() - last_check < std::chrono::milliseconds{20}) { return true; }
                last_check = engine::Clock::now();
                interrupted = interrupted || !no_signal_pending();
                return !interrupted;
            },
            endgames};
        std::function<void(engine::Report const&)> listener;
        bool failed = false;
        if (!on_report.is_none()) {
            listener = [&](engine::Report const& report) {
                nb::gil_scoped_acquire const gil;
                if (failed) { return; }
                try {
                    on_report(report_tuple(report));
                } catch (nb::python_error& error) {
                    error.restore();
                    failed = true;
                    control.stop();
                }
            };
        }
        engine::Report report;
        {
            nb::gil_scoped_release const released;
            std::scoped_lock const exclusive{searching_};
            {
                std::scoped_lock const lock{mutex_};
                running_ = &control;
            }
            report = searcher_->search(states, variant_->stuck_wins(), control, listener);
            std::scoped_lock const lock{mutex_};
            running_ = nullptr;
        }
        if (interrupted || failed) { throw nb::python_error(); }
        return report_tuple(report);
    }

    void stop() {
        std::scoped_lock const lock{mutex_};
        if (running_ != nullptr) { running_->stop(); }
    }

    void clear() {
        nb::gil_scoped_release const released;
        std::scoped_lock const exclusive{searching_};
        searcher_->clear();
    }

    // The margins that are not named are those of the package.
    void set_margins(nb::dict const& values) {
        auto const margins = margins_of(values);
        nb::gil_scoped_release const released;
        std::scoped_lock const exclusive{searching_};
        searcher_->set_margins(margins);
    }

  private:
    VariantRef variant_;
    std::unique_ptr<engine::Searcher> searcher_;
    std::mutex searching_;
    std::mutex mutex_;
    engine::SearchControl* running_ = nullptr;
};

class TrainerObject {
  public:
    explicit TrainerObject(nb::handle variant)
        : variant_{variant_of(variant)}, trainer_{variant_->make_trainer()} {}

    std::size_t sample_size() const { return trainer_->sample_size(); }

    using Within = std::vector<std::optional<int>>;

    nb::bytes play(nb::sequence const& starts, nb::bytes const& weights, TablesObject const* tables,
                   Within const& within, engine::SelfPlayOptions options) {
        auto const states = states_of(*variant_, starts);
        auto const parsed = read_weights_and_network(*variant_, weights);
        options.stuck_wins = stuck_wins();
        options.table_labels = table_labels(tables, within);
        bool interrupted = false;
        std::string samples;
        {
            nb::gil_scoped_release const released;
            samples = trainer_->play(states, parsed, options, [&] {
                interrupted = interrupted || !no_signal_pending();
                return !interrupted;
            });
        }
        if (interrupted) { throw nb::python_error(); }
        return nb::bytes(samples.data(), samples.size());
    }

    using Fit = std::tuple<nb::bytes, std::size_t, std::size_t, double, double, double>;

    Fit fit(std::vector<nb::bytes> const& parts, nb::bytes const& prior, TablesObject const* tables,
            Within const& within, engine::FitOptions options) {
        auto const views = views_of(parts);
        options.prior = read_weights(variant_->features(), prior);
        options.stuck_wins = stuck_wins();
        options.table_labels = table_labels(tables, within);
        engine::FitResult result;
        {
            nb::gil_scoped_release const released;
            result = trainer_->fit(views, options);
        }
        nb::bytes const weights{result.weights.data(), result.weights.size() * sizeof(TaperedWeight)};
        return {weights,
                result.positions,
                result.relabelled,
                result.training_loss,
                result.validation_loss,
                result.material_loss};
    }

    using NetworkFit = std::tuple<nb::bytes, std::size_t, double, double>;

    NetworkFit fit_network(std::vector<nb::bytes> const& parts, nb::bytes const& weights,
                           TablesObject const* tables, Within const& within,
                           engine::NetworkFitOptions options) {
        auto const views = views_of(parts);
        options.weights = read_weights(variant_->features(), weights);
        options.stuck_wins = stuck_wins();
        options.table_labels = table_labels(tables, within);
        engine::NetworkFitResult result;
        {
            nb::gil_scoped_release const released;
            result = trainer_->fit_network(views, options);
        }
        nb::bytes const network{result.network.data(), result.network.size()};
        return {network, result.positions, result.loss, result.loss_without};
    }

    // What a file of weights holds: differences from the weights that give the material evaluation, in halves
    // of a hundredth of a man, a pair of 16-bit numbers for each feature.
    nb::bytes weights_from_differences(nb::bytes const& differences) {
        auto weights = material_weights();
        if (differences.size() != weights.size() * sizeof(TaperedWeight)) {
            PyErr_Format(PyExc_ValueError, "expected %zu bytes of differences, got %zu",
                         weights.size() * sizeof(TaperedWeight), differences.size());
            throw nb::python_error();
        }
        for (std::size_t i = 0; i < weights.size(); ++i) {
            TaperedWeight more;
            std::memcpy(&more, differences.c_str() + i * sizeof more, sizeof more);
            weights[i] = {moved(weights[i].opening, more.opening), moved(weights[i].endgame, more.endgame)};
        }
        return nb::bytes(weights.data(), weights.size() * sizeof(TaperedWeight));
    }

    nb::bytes differences_from_material(nb::bytes const& given) {
        auto const material = material_weights();
        auto differences = read_weights(variant_->features(), given);
        differences.resize(material.size());
        for (std::size_t i = 0; i < material.size(); ++i) {
            differences[i] = {units_between(material[i].opening, differences[i].opening),
                              units_between(material[i].endgame, differences[i].endgame)};
        }
        return nb::bytes(differences.data(), differences.size() * sizeof(TaperedWeight));
    }

  private:
    std::vector<std::string_view> views_of(std::vector<nb::bytes> const& parts) const {
        std::vector<std::string_view> views;
        for (auto const& part : parts) {
            if (part.size() % trainer_->sample_size() != 0) {
                throw nb::value_error("expected whole samples, got a part of one");
            }
            views.emplace_back(part.c_str(), part.size());
        }
        return views;
    }

    static constexpr int unit = engine::weight_scale / 2;

    static std::int16_t moved(int weight, int units) {
        return static_cast<std::int16_t>(std::clamp(weight + unit * units, -32'000, 32'000));
    }
    static std::int16_t units_between(int material, int weight) {
        int const more = weight - material;
        return static_cast<std::int16_t>((more + (more < 0 ? -unit / 2 : unit / 2)) / unit);
    }

    std::vector<TaperedWeight> material_weights() {
        engine::FitOptions options;
        options.stuck_wins = stuck_wins();
        return trainer_->fit({}, options).weights;
    }

    bool stuck_wins() const { return variant_->stuck_wins(); }

    engine::TableLabels table_labels(TablesObject const* tables, Within const& within) const {
        return {tables_of(*variant_, tables), within};
    }

    VariantRef variant_;
    std::unique_ptr<engine::Trainer> trainer_;
};

}  // namespace

void bind_engine(nb::module_& module) {
    nb::class_<SearcherObject>(
        module, "Searcher",
        "The search of one variant, with its transposition table, which stays for the next search.")
        .def(nb::init<nb::handle, std::size_t, nb::bytes const&>(), nb::arg("variant"),
             nb::arg("megabytes") = 64, nb::arg("weights") = nb::bytes("", 0),
             nb::sig("def __init__(self, variant: Variant | str, megabytes: int = 64, weights: bytes = b'') "
                     "-> None"))
        .def(
            "search",
            [](SearcherObject& self, nb::sequence const& game, int depth, std::optional<std::uint64_t> nodes,
               std::optional<double> seconds, std::optional<double> soft_seconds, int lines, int threads,
               int drawn_after, TablesObject const* tables, nb::object const& on_report) {
                engine::Limits limits;
                limits.depth = depth;
                if (nodes) { limits.nodes = *nodes; }
                if (seconds) { limits.seconds = *seconds; }
                if (soft_seconds) { limits.soft_seconds = *soft_seconds; }
                limits.lines = lines;
                limits.threads = threads;
                limits.drawn_after = drawn_after;
                return self.search(game, limits, tables, on_report);
            },
            nb::arg("game"), nb::arg("depth") = engine::max_ply / 2, nb::arg("nodes") = nb::none(),
            nb::arg("seconds") = nb::none(), nb::arg("soft_seconds") = nb::none(), nb::arg("lines") = 1,
            nb::arg("threads") = 1, nb::arg("drawn_after") = 0, nb::arg("tables") = nb::none(),
            nb::arg("on_report") = nb::none(),
            nb::sig("def search(self, game: collections.abc.Sequence[Position], depth: int = 100, "
                    "nodes: int | None = None, seconds: float | None = None, "
                    "soft_seconds: float | None = None, lines: int = 1, threads: int = 1, "
                    "drawn_after: int = 0, tables: Tables | None = None, "
                    "on_report: collections.abc.Callable[[tuple[object, ...]], object] | None = None) "
                    "-> tuple[int, int, int, float, "
                    "tuple[tuple[int, bool, tuple[tuple[int, int, bool, tuple[int, ...]], ...]], ...]]"),
            "Search the last of the positions; those before it, since the last capture or move of a man, "
            "count for "
            "repetition. Returns (depth, selective depth, nodes, seconds, lines), a line being (score, "
            "unsearched, "
            "moves), a move (origin, target, crowns, captures).")
        .def("stop", &SearcherObject::stop, "Let a search that runs in another thread end now.")
        .def("clear", &SearcherObject::clear, "Clear the transposition table.")
        .def("set_margins", &SearcherObject::set_margins, nb::arg("values"),
             nb::sig("def set_margins(self, values: dict[str, int]) -> None"),
             "Margins of the searches to come, by name; those of the package where none is given.")
        .def_static("margins", &margins_by_name, nb::sig("def margins() -> dict[str, tuple[int, int, int]]"),
                    "The margins of the package by name, each with the least and the greatest value.");

    engine::FitOptions const defaults;
    engine::NetworkFitOptions const of_network;
    nb::class_<TrainerObject>(module, "Trainer", "Self-play, and weights fitted to its games.")
        .def(nb::init<nb::handle>(), nb::arg("variant"),
             nb::sig("def __init__(self, variant: Variant | str) -> None"))
        .def_prop_ro("sample_size", &TrainerObject::sample_size,
                     "Bytes of one position of the training data.")
        .def(
            "play",
            [](TrainerObject& self, nb::sequence const& starts, nb::bytes const& weights, int games,
               std::uint64_t nodes, int random_plies, int exploration, int drawn_after, std::uint64_t seed,
               int threads, TablesObject const* tables, TrainerObject::Within const& within) {
                return self.play(starts, weights, tables, within,
                                 {.games = games,
                                  .nodes = nodes,
                                  .random_plies = random_plies,
                                  .exploration = exploration,
                                  .drawn_after = drawn_after,
                                  .seed = seed,
                                  .threads = threads});
            },
            nb::arg("starts"), nb::arg("weights"), nb::arg("games"), nb::arg("nodes") = 512,
            nb::arg("random_plies") = 8, nb::arg("exploration") = 0, nb::arg("drawn_after") = 50,
            nb::arg("seed") = 0, nb::arg("threads") = 1, nb::arg("tables") = nb::none(),
            nb::arg("within") = nb::tuple(),
            nb::sig("def play(self, starts: collections.abc.Sequence[Position], weights: bytes, games: int, "
                    "nodes: int = 512, random_plies: int = 8, exploration: int = 0, drawn_after: int = 50, "
                    "seed: int = 0, threads: int = 1, tables: Tables | None = None, "
                    "within: collections.abc.Sequence[int | None] = ()) -> bytes"),
            "Self-play: the quiet positions of the games with their labels, as bytes. `exploration` is the "
            "percentage of moves behind the first `random_plies` that are random, too. `within` has for each "
            "number of pieces the plies within which no draw rule can overtake a win.")
        .def(
            "fit",
            [](TrainerObject& self, std::vector<nb::bytes> const& parts, int epochs, double learning_rate,
               nb::bytes const& prior, double prior_deviation, double result_weight, std::uint64_t seed,
               TablesObject const* tables, TrainerObject::Within const& within) {
                return self.fit(parts, prior, tables, within,
                                {.epochs = epochs,
                                 .learning_rate = learning_rate,
                                 .prior_deviation = prior_deviation,
                                 .result_weight = result_weight,
                                 .seed = seed});
            },
            nb::arg("parts"), nb::arg("epochs") = defaults.epochs,
            nb::arg("learning_rate") = defaults.learning_rate, nb::arg("prior") = nb::bytes("", 0),
            nb::arg("prior_deviation") = defaults.prior_deviation,
            nb::arg("result_weight") = defaults.result_weight, nb::arg("seed") = defaults.seed,
            nb::arg("tables") = nb::none(), nb::arg("within") = nb::tuple(),
            nb::sig("def fit(self, parts: collections.abc.Sequence[bytes], epochs: int = 8, "
                    "learning_rate: float = 0.2, prior: bytes = b'', prior_deviation: float = 20.0, "
                    "result_weight: float = 0.1, seed: int = 0, "
                    "tables: Tables | None = None, within: collections.abc.Sequence[int | None] = ()) "
                    "-> tuple[bytes, int, int, float, float, float]"),
            "Weights fitted to training data, the number of its positions, how many the tables relabelled, "
            "and mean "
            "losses: of training, of validation (positions held back), and of validation by the material "
            "evaluation. Without any data: the weights that give the material evaluation.")
        .def(
            "fit_network",
            [](TrainerObject& self, std::vector<nb::bytes> const& parts, nb::bytes const& weights, int epochs,
               double learning_rate, double result_weight, std::uint64_t seed, TablesObject const* tables,
               TrainerObject::Within const& within) {
                return self.fit_network(parts, weights, tables, within,
                                        {.epochs = epochs,
                                         .learning_rate = learning_rate,
                                         .result_weight = result_weight,
                                         .seed = seed});
            },
            nb::arg("parts"), nb::arg("weights"), nb::arg("epochs") = of_network.epochs,
            nb::arg("learning_rate") = of_network.learning_rate,
            nb::arg("result_weight") = of_network.result_weight, nb::arg("seed") = of_network.seed,
            nb::arg("tables") = nb::none(), nb::arg("within") = nb::tuple(),
            nb::sig("def fit_network(self, parts: collections.abc.Sequence[bytes], weights: bytes, "
                    "epochs: int = 12, learning_rate: float = 0.002, result_weight: float = 0.1, "
                    "seed: int = 0, tables: Tables | None = None, "
                    "within: collections.abc.Sequence[int | None] = ()) -> tuple[bytes, int, float, float]"),
            "A network fitted beside weights, the number of positions, and the mean losses of positions held "
            "back: with it, and by the weights alone.")
        .def("differences_from_material", &TrainerObject::differences_from_material, nb::arg("weights"),
             "How weights differ from those of the material evaluation, in halves of a hundredth of a man.")
        .def("weights_from_differences", &TrainerObject::weights_from_differences, nb::arg("differences"),
             "The weights that differ so from those of the material evaluation.");
}

}  // namespace crownhead::bind
