// One rule set thinks: deeper and deeper, by as many threads as there are, until the control says stop.
#pragma once

#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "crownhead/engine/search.hpp"

namespace crownhead::engine {

template <Rules R>
class RuleSetThinker final : public Thinker {
    using Board = Geometry<R.board>;
    using Set = typename Position<R>::Set;
    using Word = typename Board::Word;
    using Endgames = endgame::RuleSetTables<R>;

  public:
    RuleSetThinker(std::size_t megabytes, std::vector<Worths> weights)
        : table_{megabytes}, judge_{std::move(weights)} {}

    Report think(std::vector<State> const& game, bool stuck_wins, Control& control,
                 std::function<void(Report const&)> const& tell) override {
        table_.grow_older();
        return game.back().turn == Colour::black ? begin<Colour::black>(game, stuck_wins, control, tell)
                                                 : begin<Colour::white>(game, stuck_wins, control, tell);
    }

    void forget() override { table_.clear(); }

    static Position<R> unpack(State const& state) {
        auto const word = [](Wide bits) { return Set{static_cast<Word>(bits)}; };
        Position<R> position{word(state.own), word(state.theirs), word(state.kings)};
        if constexpr (R.marked != Marked::none) { position.marks = word(state.marks); }
        if constexpr (Position<R>::counts_runs) {
            position.own_run = {word(state.own_run), state.own_steps};
            position.their_run = {word(state.their_run), state.their_steps};
        }
        return position;
    }

    template <Colour Turn>
    static State pack(Position<R> const& position) {
        State state{position.own.bits(), position.theirs.bits(), position.kings.bits(), 0, Turn};
        if constexpr (R.marked != Marked::none) { state.marks = position.marks.bits(); }
        if constexpr (Position<R>::counts_runs) {
            state.own_run = position.own_run.king.bits();
            state.own_steps = position.own_run.steps;
            state.their_run = position.their_run.king.bits();
            state.their_steps = position.their_run.steps;
        }
        return state;
    }

    static Step step_of(Position<R> const& position, Candidate<R> const& move) {
        Step step{};
        step.origin = Board::number(move.origin.first());
        step.target = move.target.empty() ? step.origin : Board::number(move.target.first());
        step.crowns = move.crowns;
        auto const taken = move.target.empty() ? move.origin : position.theirs - move.next.own;
        for (auto piece : taken) { step.captures.push_back(Board::number(piece.first())); }
        std::ranges::sort(step.captures);
        return step;
    }

  private:
    static constexpr Score narrow = 12;  // how far the next value is expected to be from the last

    static std::vector<std::uint64_t> keys_of(std::vector<State> const& game) {
        std::vector<std::uint64_t> keys;
        for (auto const& state : game) {
            auto const position = unpack(state);
            keys.push_back(state.turn == Colour::black ? key_of<R, Colour::black>(position)
                                                       : key_of<R, Colour::white>(position));
        }
        keys.pop_back();
        return keys;
    }

    template <Colour Us>
    Report begin(std::vector<State> const& game, bool stuck_wins, Control& control,
                 std::function<void(Report const&)> const& tell) {
        auto const position = unpack(game.back());
        auto const keys = keys_of(game);
        std::vector<std::unique_ptr<Search<R>>> searches;
        for (int i = 0; i < std::max(control.limits().threads, 1); ++i) {
            searches.push_back(std::make_unique<Search<R>>(table_, judge_, control, stuck_wins, i == 0));
            searches.back()->remember(keys);
        }
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < searches.size(); ++i) {
            helpers.emplace_back(
                [&, i] { accompany<Us>(*searches[i], position, control, static_cast<int>(i)); });
        }
        auto report = lead<Us>(searches, position, control, tell);
        control.stop();
        helpers.clear();
        report.nodes = total(searches);
        report.seconds = control.seconds();
        return report;
    }

    // The first thread: what it finds is what is told. A position that the endgame tables call drawn is
    // played on, by moves that hold the draw, as if nobody knew.
    template <Colour Us>
    Report lead(std::vector<std::unique_ptr<Search<R>>> const& searches, Position<R> const& position,
                Control& control, std::function<void(Report const&)> const& tell) {
        auto& search = *searches.front();
        auto const& limits = control.limits();
        Report best;
        int const moves = decided<Us>(position) ? 0 : count_moves<Us>(position, search.arena());
        if (moves == 0) { return best; }
        auto const* const endgames = endgames_of(control);
        auto const verdict = endgames == nullptr ? std::nullopt : endgames->template verdict<Us>(position);
        std::vector<MoveCode> losing;
        bool const holds = verdict && verdict->result == endgame::Result::draw && limits.lines == 1;
        if (holds) {
            losing = losing_moves<Us>(position, search.arena(), *endgames);
            for (auto const& each : searches) { each->do_without_tables(); }
        }
        int const choices = moves - static_cast<int>(losing.size());
        for (int depth = 1; depth <= std::min(limits.depth, most_plies / 2); ++depth) {
            auto lines =
                lines_at<Us>(search, position, depth, std::min(limits.lines, choices), best, losing, control);
            if (!lines) { break; }
            if (holds) { lines->front().score = draw; }
            best.lines = std::move(*lines);
            best.depth = depth;
            best.reached = search.reached();
            best.nodes = total(searches);
            best.seconds = control.seconds();
            if (tell) { tell(best); }
            Score const score = best.lines.front().score;
            bool const forced = choices == 1 && limits.lines == 1 && best.seconds > 0 &&
                                limits.seconds < std::numeric_limits<double>::infinity();
            bool const tabled = verdict && !holds;
            bool const proven = is_decided(score) && won_now - std::abs(score) <= depth;
            if (forced || proven || tabled || control.stopped() || best.seconds >= limits.soft_seconds) {
                break;
            }
        }
        if (best.lines.empty()) { best.lines = any_line<Us>(position, search.arena(), losing); }
        return best;
    }

    // Moves that give a draw away.
    template <Colour Us>
    static std::vector<MoveCode> losing_moves(Position<R> const& position, Arena<R>& arena,
                                              Endgames const& endgames) {
        std::vector<MoveCode> losing;
        typename Arena<R>::List list{arena};
        find_candidates<Us>(position, capturing<Us>(position), list);
        for (int i = 0; i < list.count(); ++i) {
            auto const next = endgames.template verdict<opponent(Us)>(list[i].next);
            if (!next || next->result != endgame::Result::draw) { losing.push_back(list[i].code); }
        }
        return losing;
    }

    // The lines of one depth but for those that begin with a move in `barred`, best first; nothing if the
    // search was stopped on the way.
    template <Colour Us>
    std::optional<std::vector<Line>> lines_at(Search<R>& search, Position<R> const& position, int depth,
                                              int wanted, Report const& before, std::vector<MoveCode> barred,
                                              Control& control) {
        std::vector<Line> lines;
        for (int i = 0; i < wanted; ++i) {
            auto const rank = static_cast<std::size_t>(i);
            std::optional<Score> guess;
            if (rank < before.lines.size() && before.depth >= 3) { guess = before.lines[rank].score; }
            Score const score = within<Us>(search, position, depth, guess, barred, control);
            if (control.stopped() && !(depth == 1 && i == 0 && search.expected().length > 0)) { return {}; }
            Line line{score, Bound::exact, {}};
            auto const* const endgames = is_sure(score) ? endgames_of(control) : nullptr;
            line.steps = steps_of<Us>(position, search.expected(), search.arena(), endgames);
            if (search.expected().length > 0) { barred.push_back(search.expected().codes[0]); }
            lines.push_back(std::move(line));
        }
        std::ranges::stable_sort(lines, std::ranges::greater{}, &Line::score);
        return lines;
    }

    // The value of the root, looked for near a guess first.
    template <Colour Us>
    static Score within(Search<R>& search, Position<R> const& position, int depth, std::optional<Score> guess,
                        std::vector<MoveCode> const& barred, Control& control) {
        Score low = -unbounded;
        Score high = unbounded;
        Score width = narrow;
        if (guess && !is_decided(*guess)) {
            low = *guess - width;
            high = *guess + width;
        }
        while (true) {
            Score const score = search.template root<Us>(position, depth, low, high, barred);
            if (control.stopped()) { return score; }
            width *= 4;
            if (score <= low && low > -unbounded) {
                low = width > 500 ? -unbounded : score - width;
            } else if (score >= high && high < unbounded) {
                high = width > 500 ? unbounded : score + width;
            } else {
                return score;
            }
        }
    }

    // Another thread: fills the table, at depths that differ from thread to thread.
    template <Colour Us>
    static void accompany(Search<R>& search, Position<R> const& position, Control& control, int number) {
        std::vector<MoveCode> const nothing_barred;
        std::optional<Score> guess;
        for (int depth = 1 + number % 2; depth < most_plies / 2 && !control.stopped(); ++depth) {
            guess = within<Us>(search, position, depth, guess, nothing_barred, control);
        }
        // At its last depth it waits for the others.
    }

    static std::uint64_t total(std::vector<std::unique_ptr<Search<R>>> const& searches) {
        std::uint64_t nodes = 0;
        for (auto const& search : searches) { nodes += search->nodes(); }
        return nodes;
    }

    template <Colour Us>
    static int count_moves(Position<R> const& position, Arena<R>& arena) {
        typename Arena<R>::List list{arena};
        find_candidates<Us>(position, capturing<Us>(position), list);
        return list.count();
    }

    template <Colour Us>
    static std::vector<Line> any_line(Position<R> const& position, Arena<R>& arena,
                                      std::vector<MoveCode> const& barred) {
        typename Arena<R>::List list{arena};
        find_candidates<Us>(position, capturing<Us>(position), list);
        int first = 0;
        while (first + 1 < list.count() && std::ranges::find(barred, list[first].code) != barred.end()) {
            ++first;
        }
        return {Line{0, Bound::none, {step_of(position, list[first])}}};
    }

    static Endgames const* endgames_of(Control const& control) {
        return static_cast<Endgames const*>(control.tables());
    }

    // The moves behind the codes of a line, and from where it reaches the endgame tables those they tell.
    template <Colour Us>
    static std::vector<Step> steps_of(Position<R> const& position, Expected const& expected, Arena<R>& arena,
                                      Endgames const* endgames) {
        std::vector<Step> steps;
        follow<Us>(position, expected, 0, arena, endgames, steps);
        return steps;
    }

    template <Colour Us>
    static void follow(Position<R> const& position, Expected const& expected, int ply, Arena<R>& arena,
                       Endgames const* endgames, std::vector<Step>& steps) {
        if (decided<Us>(position)) { return; }
        if (ply == expected.length) {
            if (endgames != nullptr) { play_out<Us>(position, arena, *endgames, steps); }
            return;
        }
        typename Arena<R>::List list{arena};
        find_candidates<Us>(position, capturing<Us>(position), list);
        for (int i = 0; i < list.count(); ++i) {
            if (list[i].code != expected.codes[static_cast<std::size_t>(ply)]) { continue; }
            steps.push_back(step_of(position, list[i]));
            follow<opponent(Us)>(list[i].next, expected, ply + 1, arena, endgames, steps);
            return;
        }
    }

    // The shortest win against the longest defence.
    template <Colour Us>
    static void play_out(Position<R> const& position, Arena<R>& arena, Endgames const& endgames,
                         std::vector<Step>& steps) {
        auto const verdict = endgames.template verdict<Us>(position);
        if (!verdict || verdict->plies.value_or(0) == 0 || decided<Us>(position) ||
            std::cmp_greater_equal(steps.size(), most_plies)) {
            return;
        }
        typename Arena<R>::List list{arena};
        find_candidates<Us>(position, capturing<Us>(position), list);
        for (int i = 0; i < list.count(); ++i) {
            auto const next = endgames.template verdict<opponent(Us)>(list[i].next);
            if (!next || next->result == verdict->result || next->plies != *verdict->plies - 1) { continue; }
            steps.push_back(step_of(position, list[i]));
            play_out<opponent(Us)>(list[i].next, arena, endgames, steps);
            return;
        }
    }

    Table table_;
    Judge<R> judge_;
};

}  // namespace crownhead::engine
