// Iterative deepening with aspiration windows, by one thread or several (Lazy SMP), until the control says
// stop.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "crownhead/engine/helper_threads.hpp"
#include "crownhead/engine/patience.hpp"
#include "crownhead/engine/search.hpp"

namespace crownhead::engine {

// A move as it is reported.
template <class R>
PvMove pv_move_of(Position<R> const& position, SearchMove<R> const& move) {
    auto const& board = position.rules.board();
    PvMove made{};
    made.origin = board.number(move.origin.first());
    made.target = move.target.empty() ? made.origin : board.number(move.target.first());
    made.crowns = move.crowns;
    auto const taken = move.target.empty() ? move.origin : position.theirs - move.next.own;
    for (auto piece : taken) { made.captures.push_back(board.number(piece.first())); }
    std::ranges::sort(made.captures);
    return made;
}

template <class R>
class RuleSetSearcher final : public Searcher {
    using Set = typename R::Set;
    using Tables = endgame::Tables;
    using Workers = std::vector<std::unique_ptr<Search<R>>>;

  public:
    RuleSetSearcher(R rules, std::size_t megabytes, Weights weights)
        : rules_{rules}, table_{megabytes}, evaluator_{rules, std::move(weights)} {}

    Report search(std::vector<State> const& game, bool stuck_wins, SearchControl& control,
                  std::function<void(Report const&)> const& on_report) override {
        table_.start_new_search();
        return game.back().turn == Colour::black
                   ? search_with_threads<Colour::black>(game, stuck_wins, control, on_report)
                   : search_with_threads<Colour::white>(game, stuck_wins, control, on_report);
    }

    void set_margins(Margins const& margins) override { margins_ = margins; }

    void clear() override {
        table_.clear();
        for (auto const& worker : workers_) { worker->forget(); }
    }

  private:
    static constexpr Score widest_window = 500;  // beyond it that side is opened

    std::vector<std::uint64_t> keys_of(std::vector<State> const& game) const {
        std::vector<std::uint64_t> keys;
        for (auto const& state : game) {
            keys.push_back(as_mover(
                rules_, state, []<Colour Us>(Position<R> const& position) { return key_of<Us>(position); }));
        }
        keys.pop_back();
        return keys;
    }

    template <Colour Us>
    Report search_with_threads(std::vector<State> const& game, bool stuck_wins, SearchControl& control,
                               std::function<void(Report const&)> const& on_report) {
        auto const position = unpack(rules_, game.back());
        auto const keys = keys_of(game);
        int const threads = HelperThreads::are_possible() ? std::max(control.limits().threads, 1) : 1;
        workers_.resize(static_cast<std::size_t>(threads));
        for (auto& worker : workers_) {
            if (!worker) {
                worker = std::make_unique<Search<R>>(table_, evaluator_, worker == workers_.front());
            }
            worker->begin(control, margins_, stuck_wins, keys);
        }
        auto const root = prepare_root<Us>(position, control);  // before any thread reads what it sets
        HelperThreads helpers;
        for (std::size_t i = 1; i < workers_.size(); ++i) {
            helpers.start([&, i] { run_helper<Us>(*workers_[i], position, control, static_cast<int>(i)); });
        }
        auto report = deepen<Us>(position, root, control, on_report);
        control.stop();
        helpers.wait();
        report.nodes = total_nodes();
        report.seconds = control.seconds();
        return report;
    }

    // What is known of the root before it is searched: what endgame tables say, whether that has to be kept,
    // the moves that would not, and how many others there are.
    struct Root {
        std::optional<endgame::ProbeResult> found;
        bool keeps_result = false;
        std::vector<MoveCode> losing;
        int choices = 0;
    };

    // Where endgame tables know the root to be drawn, the moves that hold the draw are searched as though
    // there were no tables, and the score is a draw. Where they know it to be won or lost, but not in how
    // many plies, the moves that keep the result are searched for progress.
    template <Colour Us>
    Root prepare_root(Position<R> const& position, SearchControl& control) {
        Root root;
        auto& arena = workers_.front()->arena();
        if (decided<Us>(position)) { return root; }
        root.choices = count_moves<Us>(position, arena);
        auto const* const endgames = control.tables();
        if (root.choices == 0 || endgames == nullptr) { return root; }
        root.found = endgames->probe(pack<Us>(position));
        root.keeps_result = root.found && !root.found->plies && control.limits().lines == 1;
        if (!root.keeps_result) { return root; }
        auto const result = root.found->result;
        root.losing = losing_moves<Us>(position, result, arena, *endgames);
        root.choices -= static_cast<int>(root.losing.size());
        for (auto const& each : workers_) {
            if (result == endgame::Result::draw) {
                each->disable_tables();
            } else {
                each->search_for_progress(result, position.occupied().count());
            }
        }
        return root;
    }

    // The main thread, whose lines are reported.
    template <Colour Us>
    Report deepen(Position<R> const& position, Root const& root, SearchControl& control,
                  std::function<void(Report const&)> const& on_report) {
        auto& search = *workers_.front();
        auto const& limits = control.limits();
        auto const& [found, keeps_result, losing, choices] = root;
        Report best;
        Patience patience;
        if (choices == 0) { return best; }
        for (int depth = 1; depth <= std::min(limits.depth, max_ply / 2); ++depth) {
            search.clear_root_line();
            auto lines =
                multi_pv<Us>(search, position, depth, std::min(limits.lines, choices), best, losing, control);
            bool const finished = lines.has_value();
            if (!finished) {
                // An iteration that was stopped leaves the best of the moves that it has searched. The move
                // of the table, the best one before, was the first of them: it is no worse, and often better.
                // That it loses says nothing of the moves that were not searched.
                auto const& found = search.root_line();
                bool const lost = is_decisive(found.score) && found.score < 0;
                if (limits.lines > 1 || keeps_result || lost || found.moves.length == 0) { break; }
                lines = std::vector<Line>{unfinished_line<Us>(search, position)};
            }
            if (keeps_result) { lines->front().score = known_score(*found, lines->front().score); }
            best.lines = std::move(*lines);
            if (finished) { best.depth = depth; }
            best.selective_depth = search.selective_depth();
            best.nodes = total_nodes();
            best.seconds = control.seconds();
            if (on_report) { on_report(best); }
            patience.see(best.lines.front());
            Score const score = best.lines.front().score;
            bool const forced = choices == 1 && limits.lines == 1 && best.seconds > 0 &&
                                limits.seconds < std::numeric_limits<double>::infinity();
            bool const in_tables = found && !keeps_result;
            bool const proven = is_forced(score) && win_score - std::abs(score) <= depth;
            bool const enough = best.seconds >= limits.soft_seconds * patience.factor();
            if (forced || proven || in_tables || enough || control.stopped()) { break; }
        }
        if (best.lines.empty()) { best.lines = any_legal_line<Us>(position, search.arena(), losing); }
        return best;
    }

    // Moves after which the result is worse; one that takes a long way may be among the others.
    template <Colour Us>
    static std::vector<MoveCode> losing_moves(Position<R> const& position, endgame::Result result,
                                              Arena<R>& arena, Tables const& endgames) {
        std::vector<MoveCode> losing;
        if (result == endgame::Result::loss) { return losing; }
        auto const kept = result == endgame::Result::win ? endgame::Result::loss : result;
        typename Arena<R>::MoveList list{arena};
        generate_moves<Us>(position, capturing<Us>(position), list);
        for (int i = 0; i < list.count(); ++i) {
            auto const next = endgames.probe(pack<opponent(Us)>(list[i].next));
            if (next && next->result != kept) { losing.push_back(list[i].code); }
        }
        return losing;
    }

    // The score of a root whose result is known; that of the search where it has found the end of the game.
    static Score known_score(endgame::ProbeResult const& found, Score searched) {
        if (found.result == endgame::Result::draw) { return draw; }
        bool const wins = found.result == endgame::Result::win;
        if (is_decisive(searched) && (searched > draw) == wins) { return searched; }
        Score const least = table_win_score - (2 * max_ply - 1);
        return wins ? least : -least;
    }

    template <Colour Us>
    static Line unfinished_line(Search<R>& search, Position<R> const& position) {
        auto const& found = search.root_line();
        return {found.score, Bound::lower, moves_of_pv<Us>(position, found.moves, search.arena(), nullptr)};
    }

    // MultiPV: the lines of one depth, best first, except those that begin with a move in `excluded`; nothing
    // if the search was stopped before they were complete.
    template <Colour Us>
    std::optional<std::vector<Line>> multi_pv(Search<R>& search, Position<R> const& position, int depth,
                                              int wanted, Report const& before,
                                              std::vector<MoveCode> excluded, SearchControl& control) {
        std::vector<Line> lines;
        for (int i = 0; i < wanted; ++i) {
            auto const rank = static_cast<std::size_t>(i);
            std::optional<Score> guess;
            if (rank < before.lines.size() && before.depth >= 3) { guess = before.lines[rank].score; }
            Score const score = aspiration_search<Us>(search, position, depth, guess, excluded, control);
            if (control.stopped() && !(depth == 1 && i == 0 && search.pv().length > 0)) { return {}; }
            Line line{score, Bound::exact, {}};
            auto const* const endgames = is_decisive(score) ? control.tables() : nullptr;
            line.moves = moves_of_pv<Us>(position, search.pv(), search.arena(), endgames);
            if (search.pv().length > 0) { excluded.push_back(search.pv().codes[0]); }
            lines.push_back(std::move(line));
        }
        std::ranges::stable_sort(lines, std::ranges::greater{}, &Line::score);
        return lines;
    }

    // The score of the root within an aspiration window around a guess, which widens after each fail low or
    // high.
    template <Colour Us>
    static Score aspiration_search(Search<R>& search, Position<R> const& position, int depth,
                                   std::optional<Score> guess, std::vector<MoveCode> const& excluded,
                                   SearchControl& control) {
        Score low = -infinite_score;
        Score high = infinite_score;
        Score width = search.margins().aspiration;
        if (guess && !is_forced(*guess)) {
            low = *guess - width;
            high = *guess + width;
        }
        while (true) {
            Score const score = search.template search_root<Us>(position, depth, low, high, excluded);
            if (control.stopped()) { return score; }
            width *= 4;
            if (score <= low && low > -infinite_score) {
                low = width > widest_window ? -infinite_score : score - width;
            } else if (score >= high && high < infinite_score) {
                high = width > widest_window ? infinite_score : score + width;
            } else {
                return score;
            }
        }
    }

    // A helper thread (Lazy SMP): fills the transposition table, at depths that differ from thread to thread.
    template <Colour Us>
    static void run_helper(Search<R>& search, Position<R> const& position, SearchControl& control,
                           int number) {
        std::vector<MoveCode> const nothing_excluded;
        std::optional<Score> guess;
        for (int depth = 1 + number % 2; depth < max_ply / 2 && !control.stopped(); ++depth) {
            guess = aspiration_search<Us>(search, position, depth, guess, nothing_excluded, control);
        }
        // At the last depth it waits for the main thread.
    }

    std::uint64_t total_nodes() const {
        std::uint64_t nodes = 0;
        for (auto const& worker : workers_) { nodes += worker->nodes(); }
        return nodes;
    }

    template <Colour Us>
    static int count_moves(Position<R> const& position, Arena<R>& arena) {
        typename Arena<R>::MoveList list{arena};
        generate_moves<Us>(position, capturing<Us>(position), list);
        return list.count();
    }

    template <Colour Us>
    static std::vector<Line> any_legal_line(Position<R> const& position, Arena<R>& arena,
                                            std::vector<MoveCode> const& excluded) {
        typename Arena<R>::MoveList list{arena};
        generate_moves<Us>(position, capturing<Us>(position), list);
        int first = 0;
        while (first + 1 < list.count() && std::ranges::find(excluded, list[first].code) != excluded.end()) {
            ++first;
        }
        return {Line{0, Bound::none, {pv_move_of(position, list[first])}}};
    }

    // The moves behind the codes of a PV, and those of the endgame tables from where it reaches them.
    template <Colour Us>
    static std::vector<PvMove> moves_of_pv(Position<R> const& position, PrincipalVariation const& pv,
                                           Arena<R>& arena, Tables const* endgames) {
        std::vector<PvMove> moves;
        append_pv<Us>(position, pv, 0, arena, endgames, moves);
        return moves;
    }

    template <Colour Us>
    static void append_pv(Position<R> const& position, PrincipalVariation const& pv, int ply, Arena<R>& arena,
                          Tables const* endgames, std::vector<PvMove>& moves) {
        if (decided<Us>(position)) { return; }
        if (ply == pv.length) {
            if (endgames != nullptr) { append_table_line<Us>(position, arena, *endgames, moves); }
            return;
        }
        typename Arena<R>::MoveList list{arena};
        generate_moves<Us>(position, capturing<Us>(position), list);
        for (int i = 0; i < list.count(); ++i) {
            if (list[i].code != pv.codes[static_cast<std::size_t>(ply)]) { continue; }
            moves.push_back(pv_move_of(position, list[i]));
            append_pv<opponent(Us)>(list[i].next, pv, ply + 1, arena, endgames, moves);
            return;
        }
    }

    // The shortest win against the longest defence, by the distances of the endgame tables.
    template <Colour Us>
    static void append_table_line(Position<R> const& position, Arena<R>& arena, Tables const& endgames,
                                  std::vector<PvMove>& moves) {
        auto const found = endgames.probe(pack<Us>(position));
        if (!found || found->plies.value_or(0) == 0 || decided<Us>(position) ||
            std::cmp_greater_equal(moves.size(), max_ply)) {
            return;
        }
        typename Arena<R>::MoveList list{arena};
        generate_moves<Us>(position, capturing<Us>(position), list);
        for (int i = 0; i < list.count(); ++i) {
            auto const next = endgames.probe(pack<opponent(Us)>(list[i].next));
            if (!next || next->result == found->result || next->plies != *found->plies - 1) { continue; }
            moves.push_back(pv_move_of(position, list[i]));
            append_table_line<opponent(Us)>(list[i].next, arena, endgames, moves);
            return;
        }
    }

    [[no_unique_address]] R rules_;
    Margins margins_;
    TranspositionTable table_;
    Evaluator<R> evaluator_;
    Workers workers_;  // kept with what they know of moves, for the next search
};

template <class R>
std::unique_ptr<Searcher> make_searcher(R rules, std::size_t megabytes, Weights weights) {
    return std::make_unique<RuleSetSearcher<R>>(rules, megabytes, std::move(weights));
}

}  // namespace crownhead::engine
