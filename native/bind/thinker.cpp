// crownhead._kernel.Thinker and Lesson: the engine of a variant, and what it learns from.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "crownhead/engine/mind.hpp"
#include "tables.hpp"

namespace crownhead::bind {
namespace {

using engine::Worths;

// Weights as bytes: a pair of 16-bit numbers, low byte first, for each feature.
std::vector<Worths> read_weights(engine::Mind const& mind, nb::bytes const& bytes) {
    std::vector<Worths> weights;
    if (bytes.size() == 0) { return weights; }
    if (bytes.size() != mind.features * sizeof(Worths)) {
        PyErr_Format(PyExc_ValueError, "expected no weights or %zu bytes of them, got %zu",
                     mind.features * sizeof(Worths), bytes.size());
        throw nb::python_error();
    }
    weights.resize(mind.features);
    std::memcpy(weights.data(), bytes.c_str(), bytes.size());
    return weights;
}

std::vector<State> states_of(Variant const& variant, nb::sequence const& positions) {
    std::vector<State> states;
    for (auto const& given : positions) {
        auto const& position = nb::cast<PositionObject const&>(given);
        if (position.variant->laws != variant.laws) {
            throw nb::value_error("expected positions of the engine's own variant, got another's");
        }
        states.push_back(position.state);
    }
    if (states.empty()) { throw nb::value_error("expected at least one position, got none"); }
    return states;
}

endgame::Tables const* tables_of(Variant const& variant, TablesObject const* given) {
    if (given == nullptr) { return nullptr; }
    if (given->variant().fingerprint != variant.fingerprint) {
        throw nb::value_error("expected endgame tables of the engine's own variant, got another's");
    }
    return &given->tables();
}

bool no_signal_came() {
    nb::gil_scoped_acquire const gil;
    return PyErr_CheckSignals() == 0;
}

nb::list lines_of(engine::Report const& report) {
    nb::list lines;
    for (auto const& line : report.lines) {
        nb::list steps;
        for (auto const& step : line.steps) {
            steps.append(
                nb::make_tuple(int{step.origin}, int{step.target}, step.crowns, to_tuple(step.captures)));
        }
        lines.append(nb::make_tuple(line.score, line.bound == engine::Bound::none, nb::tuple(steps)));
    }
    return lines;
}

nb::tuple told(engine::Report const& report) {
    return nb::make_tuple(report.depth, report.reached, report.nodes, report.seconds,
                          nb::tuple(lines_of(report)));
}

// One search at a time; `stop` may come from any thread.
class ThinkerObject {
  public:
    ThinkerObject(std::string_view variant, std::size_t megabytes, nb::bytes const& weights)
        : variant_{find_variant(variant)},
          thinker_{variant_.mind->thinker(megabytes, read_weights(*variant_.mind, weights))} {}

    nb::tuple think(nb::sequence const& game, engine::Limits const& limits, TablesObject const* tables,
                    nb::object const& tell) {
        auto const states = states_of(variant_, game);
        auto const* const endgames = tables_of(variant_, tables);
        bool interrupted = false;
        auto last_look = engine::Clock::now();
        engine::Control control{limits,
                                [&] {
                                    if (engine::Clock::now() - last_look < std::chrono::milliseconds{20}) {
                                        return true;
                                    }
                                    last_look = engine::Clock::now();
                                    interrupted = interrupted || !no_signal_came();
                                    return !interrupted;
                                },
                                endgames};
        std::function<void(engine::Report const&)> teller;
        bool failed = false;
        if (!tell.is_none()) {
            teller = [&](engine::Report const& report) {
                nb::gil_scoped_acquire const gil;
                if (failed) { return; }
                try {
                    tell(told(report));
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
            std::scoped_lock const alone{thinking_};
            {
                std::scoped_lock const lock{mutex_};
                running_ = &control;
            }
            report = thinker_->think(states, variant_.objective == Objective::mover_wins, control, teller);
            std::scoped_lock const lock{mutex_};
            running_ = nullptr;
        }
        if (interrupted || failed) { throw nb::python_error(); }
        return told(report);
    }

    void stop() {
        std::scoped_lock const lock{mutex_};
        if (running_ != nullptr) { running_->stop(); }
    }

    void forget() {
        nb::gil_scoped_release const released;
        std::scoped_lock const alone{thinking_};
        thinker_->forget();
    }

  private:
    Variant const& variant_;
    std::unique_ptr<engine::Thinker> thinker_;
    std::mutex thinking_;
    std::mutex mutex_;
    engine::Control* running_ = nullptr;
};

class LessonObject {
  public:
    explicit LessonObject(std::string_view variant)
        : variant_{find_variant(variant)}, lesson_{variant_.mind->lesson()} {}

    std::size_t sample_bytes() const { return lesson_->sample_size(); }

    using Within = std::vector<std::optional<int>>;

    nb::bytes play(nb::sequence const& starts, nb::bytes const& weights, TablesObject const* tables,
                   Within const& within, engine::PlayOptions options) {
        auto const states = states_of(variant_, starts);
        auto const worths = read_weights(*variant_.mind, weights);
        options.stuck_wins = stuck_wins();
        options.evidence = evidence(tables, within);
        bool interrupted = false;
        std::string samples;
        {
            nb::gil_scoped_release const released;
            samples = lesson_->play(states, worths, options, [&] {
                interrupted = interrupted || !no_signal_came();
                return !interrupted;
            });
        }
        if (interrupted) { throw nb::python_error(); }
        return nb::bytes(samples.data(), samples.size());
    }

    using Fit = std::tuple<nb::bytes, std::size_t, std::size_t, double, double, double>;

    Fit fit(std::vector<nb::bytes> const& parts, TablesObject const* tables, Within const& within,
            engine::FitOptions options) {
        std::vector<std::string_view> views;
        for (auto const& part : parts) {
            if (part.size() % lesson_->sample_size() != 0) {
                throw nb::value_error("expected whole samples, got a part of one");
            }
            views.emplace_back(part.c_str(), part.size());
        }
        options.stuck_wins = stuck_wins();
        options.evidence = evidence(tables, within);
        engine::Fitted fitted;
        {
            nb::gil_scoped_release const released;
            fitted = lesson_->fit(views, options);
        }
        nb::bytes const weights{fitted.weights.data(), fitted.weights.size() * sizeof(Worths)};
        return {weights, fitted.positions, fitted.tabled, fitted.loss, fitted.unseen, fitted.counted};
    }

    // Differences are in halves of a hundredth of a man: a pair of 16-bit numbers for each feature.
    nb::bytes add(nb::bytes const& differences) {
        auto weights = counting();
        if (differences.size() != weights.size() * sizeof(Worths)) {
            PyErr_Format(PyExc_ValueError, "expected %zu bytes of differences, got %zu",
                         weights.size() * sizeof(Worths), differences.size());
            throw nb::python_error();
        }
        for (std::size_t i = 0; i < weights.size(); ++i) {
            Worths more;
            std::memcpy(&more, differences.c_str() + i * sizeof more, sizeof more);
            weights[i] = {moved(weights[i].beginning, more.beginning), moved(weights[i].end, more.end)};
        }
        return nb::bytes(weights.data(), weights.size() * sizeof(Worths));
    }

    nb::bytes subtract(nb::bytes const& given) {
        auto const counted = counting();
        auto differences = read_weights(*variant_.mind, given);
        differences.resize(counted.size());
        for (std::size_t i = 0; i < counted.size(); ++i) {
            differences[i] = {steps_from(counted[i].beginning, differences[i].beginning),
                              steps_from(counted[i].end, differences[i].end)};
        }
        return nb::bytes(differences.data(), differences.size() * sizeof(Worths));
    }

  private:
    static constexpr int step = engine::fineness / 2;

    static std::int16_t moved(int worth, int steps) {
        return static_cast<std::int16_t>(std::clamp(worth + step * steps, -32'000, 32'000));
    }
    static std::int16_t steps_from(int counted, int worth) {
        int const more = worth - counted;
        return static_cast<std::int16_t>((more + (more < 0 ? -step / 2 : step / 2)) / step);
    }

    std::vector<Worths> counting() {
        engine::FitOptions options;
        options.stuck_wins = stuck_wins();
        return lesson_->fit({}, options).weights;
    }

    bool stuck_wins() const { return variant_.objective == Objective::mover_wins; }

    engine::Evidence evidence(TablesObject const* tables, Within const& within) const {
        return {tables_of(variant_, tables), within};
    }

    Variant const& variant_;
    std::unique_ptr<engine::Lesson> lesson_;
};

}  // namespace

void bind_thinker(nb::module_& module) {
    nb::class_<ThinkerObject>(module, "Thinker",
                              "The engine of one variant; what it found out stays for the next time.")
        .def(nb::init<std::string_view, std::size_t, nb::bytes const&>(), nb::arg("variant"),
             nb::arg("megabytes") = 64, nb::arg("weights") = nb::bytes("", 0))
        .def(
            "think",
            [](ThinkerObject& self, nb::sequence const& game, int depth, std::optional<std::uint64_t> nodes,
               std::optional<double> seconds, std::optional<double> soft_seconds, int lines, int threads,
               int drawn_after, TablesObject const* tables, nb::object const& tell) {
                engine::Limits limits;
                limits.depth = depth;
                if (nodes) { limits.nodes = *nodes; }
                if (seconds) { limits.seconds = *seconds; }
                if (soft_seconds) { limits.soft_seconds = *soft_seconds; }
                limits.lines = lines;
                limits.threads = threads;
                limits.drawn_after = drawn_after;
                return self.think(game, limits, tables, tell);
            },
            nb::arg("game"), nb::arg("depth") = engine::most_plies / 2, nb::arg("nodes") = nb::none(),
            nb::arg("seconds") = nb::none(), nb::arg("soft_seconds") = nb::none(), nb::arg("lines") = 1,
            nb::arg("threads") = 1, nb::arg("drawn_after") = 0, nb::arg("tables") = nb::none(),
            nb::arg("tell") = nb::none(),
            nb::sig("def think(self, game: collections.abc.Sequence[Position], depth: int = 100, "
                    "nodes: int | None = None, seconds: float | None = None, "
                    "soft_seconds: float | None = None, lines: int = 1, threads: int = 1, "
                    "drawn_after: int = 0, tables: Tables | None = None, "
                    "tell: collections.abc.Callable[[tuple[object, ...]], object] | None = None) "
                    "-> tuple[int, int, int, float, "
                    "tuple[tuple[int, bool, tuple[tuple[int, int, bool, tuple[int, ...]], ...]], ...]]"),
            "Think about the last of the positions; those before it, since the last capture or move of a "
            "man, count for repetition. Answers (depth, reached, nodes, seconds, lines), a line being "
            "(score, unsearched, steps), a step (origin, target, crowns, captures).")
        .def("stop", &ThinkerObject::stop, "Let a search that runs in another thread end now.")
        .def("forget", &ThinkerObject::forget, "Forget what was found out.");

    engine::FitOptions const defaults;
    nb::class_<LessonObject>(module, "Lesson", "Games of the engine with itself, and weights fitted to them.")
        .def(nb::init<std::string_view>(), nb::arg("variant"))
        .def_prop_ro("sample_bytes", &LessonObject::sample_bytes, "The size of one position.")
        .def(
            "play",
            [](LessonObject& self, nb::sequence const& starts, nb::bytes const& weights, int games,
               std::uint64_t nodes, int random_plies, int drawn_after, std::uint64_t seed, int threads,
               TablesObject const* tables, LessonObject::Within const& within) {
                return self.play(starts, weights, tables, within,
                                 {.games = games,
                                  .nodes = nodes,
                                  .random_plies = random_plies,
                                  .drawn_after = drawn_after,
                                  .seed = seed,
                                  .threads = threads});
            },
            nb::arg("starts"), nb::arg("weights"), nb::arg("games"), nb::arg("nodes") = 512,
            nb::arg("random_plies") = 8, nb::arg("drawn_after") = 50, nb::arg("seed") = 0,
            nb::arg("threads") = 1, nb::arg("tables") = nb::none(), nb::arg("within") = nb::tuple(),
            nb::sig("def play(self, starts: collections.abc.Sequence[Position], weights: bytes, games: int, "
                    "nodes: int = 512, random_plies: int = 8, drawn_after: int = 50, seed: int = 0, "
                    "threads: int = 1, tables: Tables | None = None, "
                    "within: collections.abc.Sequence[int | None] = ()) -> bytes"),
            "The quiet positions of self-played games with their results, as bytes. `within` tells for each "
            "number of pieces the plies within which no draw rule can overtake a win.")
        .def(
            "fit",
            [](LessonObject& self, std::vector<nb::bytes> const& parts, int epochs, double rate,
               double spread, double trust, std::uint64_t seed, TablesObject const* tables,
               LessonObject::Within const& within) {
                return self.fit(
                    parts, tables, within,
                    {.epochs = epochs, .rate = rate, .spread = spread, .trust = trust, .seed = seed});
            },
            nb::arg("parts"), nb::arg("epochs") = defaults.epochs, nb::arg("rate") = defaults.rate,
            nb::arg("spread") = defaults.spread, nb::arg("trust") = defaults.trust,
            nb::arg("seed") = defaults.seed, nb::arg("tables") = nb::none(), nb::arg("within") = nb::tuple(),
            nb::sig("def fit(self, parts: collections.abc.Sequence[bytes], epochs: int = 8, "
                    "rate: float = 0.2, spread: float = 20.0, trust: float = 0.1, seed: int = 0, "
                    "tables: Tables | None = None, within: collections.abc.Sequence[int | None] = ()) "
                    "-> tuple[bytes, int, int, float, float, float]"),
            "Weights fitted to what `play` gave, the positions they are fitted to, those whose results the "
            "tables have told, and mean losses: while fitting, of positions held back, and of these where "
            "pieces are counted. Without any positions: the weights that count pieces.")
        .def("subtract", &LessonObject::subtract, nb::arg("weights"),
             "How weights differ from those that count pieces, in halves of a hundredth of a man.")
        .def("add", &LessonObject::add, nb::arg("differences"),
             "The weights that differ so from those that count pieces.");
}

}  // namespace crownhead::bind
