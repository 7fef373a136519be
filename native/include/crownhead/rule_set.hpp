// The functions of `Laws` for one set of rules; each rule set is compiled in an object file of its own.
#pragma once

#include "crownhead/laws.hpp"
#include "crownhead/match.hpp"

namespace crownhead {

template <Rules R>
class RuleSet {
    using Board = Geometry<R.board>;
    using Set = typename Board::Set;
    using Word = typename Board::Word;
    static constexpr auto capacity = Trail<R>::capacity + 1;

  public:
    static Wide bit(int number) { return Wide{1} << index(Board::square(number)); }
    static std::uint8_t number(int bit) { return Board::number(static_cast<Square>(bit)); }
    static Wide crown_squares(Colour colour) {
        return colour == Colour::black ? Side<R, Colour::black>::crown_squares.bits()
                                       : Side<R, Colour::white>::crown_squares.bits();
    }
    static Wide far_row(Colour colour) {
        return colour == Colour::black ? Side<R, Colour::black>::far_row.bits()
                                       : Side<R, Colour::white>::far_row.bits();
    }

    static Verdict legal_moves(State const& state, PlyVisitor visit) {
        return as_mover(state, [&]<Colour Us>(Position<R> const& position) {
            if (decided<Us>(position)) { return Verdict::done; }
            auto const origins = capturing<Us>(position);
            if (origins.empty()) {
                for (auto origin : position.own) { show_quiet<Us>(position, origin, visit); }
                return Verdict::done;
            }
            RouteList<R> routes{position};
            if (!find_captures<Us>(position, origins, routes)) { return Verdict::too_many_captures; }
            for (auto const& route : routes) { show(route, visit); }
            return Verdict::done;
        });
    }

    // Moves from the first to the last of the squares named, over those between.
    static Verdict find(State const& state, std::span<std::uint8_t const> named, PlyVisitor visit) {
        return as_mover(state, [&]<Colour Us>(Position<R> const& position) {
            Set const origin{Board::square(named.front())};
            if (decided<Us>(position) || !position.own.meets(origin)) { return Verdict::done; }
            Set const target{Board::square(named.back())};
            auto const origins = capturing<Us>(position);
            if (!origins.empty()) { return find_routes<Us>(position, origins, named, visit); }
            if (named.size() == 2 && quiet_targets<Us>(position, origin).meets(target)) {
                show_step<Us>(position, origin, target, visit);
            }
            return Verdict::done;
        });
    }

    static Verdict play(State const& state, Ply const& ply, State& next) {
        return as_mover(state, [&]<Colour Us>(Position<R> const& position) {
            if (!on_board(ply) || decided<Us>(position)) { return Verdict::illegal; }
            auto const origins = capturing<Us>(position);
            if (!origins.empty()) {
                Set const origin{Board::square(ply.origin)};
                Set const target{Board::square(ply.target)};
                Capture<R> const wanted{origin, target, set_of(ply.captures), ply.crowns};
                return play_capture<Us>(position, origins, wanted, next);
            }
            return play_quiet<Us>(position, ply, next);
        });
    }

    static Count perft(State const& state, int depth, bool bulk, Patience patience) {
        return as_mover(state, [&]<Colour Us>(Position<R> const& position) {
            return bulk ? count<Us, true>(position, depth, patience)
                        : count<Us, false>(position, depth, patience);
        });
    }

    static Decision ending(State const& state) {
        return as_mover(state, []<Colour Us>(Position<R> const& position) {
            if constexpr (R.has_mules() || R.first_king_wins) {
                if (auto const decision = decide<Us>(position); decision.cause != Cause::none) {
                    return decision;
                }
            }
            if (position.own.empty()) { return Decision{Cause::no_pieces, false}; }
            if (capturing<Us>(position).empty() && !any_quiet<Us>(position)) {
                return Decision{Cause::no_moves, false};
            }
            return Decision{};
        });
    }

    static constexpr Laws laws{Board::squares, R.marked,    R.king_run, bit,  number, crown_squares,
                               far_row,        legal_moves, find,       play, perft,  ending};

  private:
    template <class Act>
    static auto as_mover(State const& state, Act&& act) {
        Position<R> position{word(state.own), word(state.theirs), word(state.kings)};
        if constexpr (R.marked != Marked::none) { position.marks = word(state.marks); }
        if constexpr (Position<R>::counts_runs) {
            position.own_run = {word(state.own_run), state.own_steps};
            position.their_run = {word(state.their_run), state.their_steps};
        }
        return state.turn == Colour::black ? act.template operator()<Colour::black>(position)
                                           : act.template operator()<Colour::white>(position);
    }

    static Set word(Wide bits) { return Set{static_cast<Word>(bits)}; }

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

    static bool on_board(Ply const& ply) {
        auto const off = [](std::uint8_t number) { return number < 1 || number > Board::squares; };
        return !off(ply.origin) && !off(ply.target) && std::ranges::none_of(ply.captures, off);
    }

    static Set set_of(std::span<std::uint8_t const> numbers) {
        Set set;
        for (auto number : numbers) { set |= Set{Board::square(number)}; }
        return set;
    }

    template <Colour Us>
    static bool crowns(Position<R> const& position, Set origin, Set target) {
        return !position.kings.meets(origin) && detail::may_crown(position, origin) &&
               target.meets(Side<R, Us>::crown_squares);
    }

    template <Colour Us>
    static void show_step(Position<R> const& position, Set origin, Set target, PlyVisitor visit) {
        std::array const path{Board::number(origin.first()), Board::number(target.first())};
        // A piece that its own side takes off counts as taken.
        auto const taken = std::span{path}.first(position.in_opening() ? 1 : 0);
        visit(Ply{path[0], path[1], crowns<Us>(position, origin, target), taken, path});
    }

    template <Colour Us>
    static void show_quiet(Position<R> const& position, Set origin, PlyVisitor visit) {
        for (auto target : quiet_targets<Us>(position, origin)) {
            show_step<Us>(position, origin, target, visit);
        }
    }

    static void show(Route<R> const& route, PlyVisitor visit) {
        std::array<std::uint8_t, capacity> captures;
        std::array<std::uint8_t, capacity> path;
        auto const& trail = route.trail;
        path[0] = Board::number(route.capture.origin.first());
        for (std::size_t i = 0; i < trail.length; ++i) {
            captures[i] = Board::number(trail.taken[i]);
            path[i + 1] = Board::number(trail.landed[i]);
        }
        visit(Ply{path[0], path[trail.length], route.capture.crowns, std::span{captures}.first(trail.length),
                  std::span{path}.first(trail.length + 1)});
    }

    template <Colour Us>
    static Verdict find_routes(Position<R> const& position, Set origins, std::span<std::uint8_t const> named,
                               PlyVisitor visit) {
        RouteList<R> routes{position};
        if (!find_captures<Us>(position, origins, routes)) { return Verdict::too_many_captures; }
        Set const origin{Board::square(named.front())};
        Set const target{Board::square(named.back())};
        InlineList<Square, 16> between;
        for (auto number : named.subspan(1, named.size() - 2)) { between.push_back(Board::square(number)); }
        std::span const via{between.begin(), between.size()};
        for (auto const& route : routes) {
            if (route.capture.origin != origin || route.capture.target != target) { continue; }
            auto const verdict = leads_over(position, route.capture, route.trail, via)
                                     ? Verdict::done
                                     : find_route<Us>(position, route.capture, routes.rank(), via);
            if (verdict == Verdict::too_many_captures) { return verdict; }
            if (verdict == Verdict::done) { show(route, visit); }
        }
        return Verdict::done;
    }

    // Whether another route of the same capture leads over `via`.
    template <Colour Us>
    static Verdict find_route(Position<R> const& position, Capture<R> const& capture, std::uint64_t rank,
                              std::span<Square const> via) {
        if (via.size() >= static_cast<std::size_t>(capture.taken.count())) { return Verdict::illegal; }
        RouteMatch<R> match{position, capture, rank, via};
        CaptureSearch<R, Us, RouteMatch<R>> search{position, match, Budget{.plain = Budget{}.distinct}};
        if (!search.run(capture.origin) && !match.found()) { return Verdict::too_many_captures; }
        return match.found() ? Verdict::done : Verdict::illegal;
    }

    template <Colour Us>
    static Verdict play_quiet(Position<R> const& position, Ply const& ply, State& next) {
        Set const origin{Board::square(ply.origin)};
        Set const target{Board::square(ply.target)};
        Set const taken = position.in_opening() ? origin : Set{};
        if (!position.own.meets(origin) || !quiet_targets<Us>(position, origin).meets(target) ||
            set_of(ply.captures) != taken || ply.crowns != crowns<Us>(position, origin, target)) {
            return Verdict::illegal;
        }
        if (position.in_opening()) {
            next = pack<opponent(Us)>(after_removal(position, origin));
        } else if (position.kings.meets(origin)) {
            next = pack<opponent(Us)>(after_king_step(position, origin, target));
        } else {
            next = pack<opponent(Us)>(after_man_step<Us>(position, origin, target));
        }
        return Verdict::done;
    }

    template <Colour Us>
    static Verdict play_capture(Position<R> const& position, Set origins, Capture<R> const& wanted,
                                State& next) {
        CaptureList<R> captures{position};
        if (!find_captures<Us>(position, origins, captures)) { return Verdict::too_many_captures; }
        for (auto const& capture : captures) {
            if (capture == wanted) {
                next = pack<opponent(Us)>(after(position, capture));
                return Verdict::done;
            }
        }
        return Verdict::illegal;
    }

    template <Colour Us, bool Bulk>
    static Count count(Position<R> const& position, int depth, Patience patience) {
        Perft<R, Bulk> perft{patience};
        auto const nodes = perft.template count<Us>(position, depth);
        return {nodes, perft.halt()};
    }
};

}  // namespace crownhead
