// The laws of one set of rules; each set of constants is compiled in an object file of its own.
#pragma once

#include "crownhead/laws.hpp"
#include "crownhead/match.hpp"

namespace crownhead {

template <class R>
class RuleSet final : public Laws {
    using Set = typename R::Set;
    static constexpr auto capacity = R::most_squares + 1;

  public:
    RuleSet(RuleTable<Wide> const& table, R rules) : Laws{table}, rules_{rules} {}

    Verdict legal_moves(State const& state, PlyVisitor visit, Budget budget) const override {
        return as_mover(rules_, state, [&]<Colour Us>(Position<R> const& position) {
            if (decided<Us>(position)) { return Verdict::done; }
            auto const origins = capturing<Us>(position);
            if (origins.empty()) {
                for (auto origin : position.own) { show_quiet<Us>(position, origin, visit); }
                return Verdict::done;
            }
            RouteList<R> routes{position};
            if (!find_captures<Us>(position, origins, routes, budget)) { return Verdict::too_many_captures; }
            for (auto const& route : routes) { show(route, visit); }
            return Verdict::done;
        });
    }

    // Moves from the first to the last of the squares named, over those between.
    Verdict find(State const& state, std::span<std::uint8_t const> named, PlyVisitor visit,
                 Budget budget) const override {
        return as_mover(rules_, state, [&]<Colour Us>(Position<R> const& position) {
            Set const origin = square(named.front());
            if (decided<Us>(position) || !position.own.meets(origin)) { return Verdict::done; }
            Set const target = square(named.back());
            auto const origins = capturing<Us>(position);
            if (!origins.empty()) { return find_routes<Us>(position, origins, named, visit, budget); }
            if (named.size() == 2 && quiet_targets<Us>(position, origin).meets(target)) {
                show_step<Us>(position, origin, target, visit);
            }
            return Verdict::done;
        });
    }

    Verdict play(State const& state, Ply const& ply, State& next, Budget budget) const override {
        return as_mover(rules_, state, [&]<Colour Us>(Position<R> const& position) {
            if (!on_board(ply) || decided<Us>(position)) { return Verdict::illegal; }
            auto const origins = capturing<Us>(position);
            if (!origins.empty()) {
                Set const origin = square(ply.origin);
                Set const target = square(ply.target);
                Capture<R> const wanted{origin, target, set_of(ply.captures), ply.crowns};
                return play_capture<Us>(position, origins, wanted, next, budget);
            }
            return play_quiet<Us>(position, ply, next);
        });
    }

    Count perft(State const& state, int depth, bool bulk, Patience patience) const override {
        return as_mover(rules_, state, [&]<Colour Us>(Position<R> const& position) {
            return bulk ? count<Us, true>(position, depth, patience)
                        : count<Us, false>(position, depth, patience);
        });
    }

    Decision ending(State const& state) const override {
        return as_mover(rules_, state, []<Colour Us>(Position<R> const& position) {
            if (auto const decision = decide<Us>(position); decision.cause != Cause::none) {
                return decision;
            }
            if (position.own.empty()) { return Decision{Cause::no_pieces, false}; }
            if (capturing<Us>(position).empty() && !any_quiet<Us>(position)) {
                return Decision{Cause::no_moves, false};
            }
            return Decision{};
        });
    }

  private:
    Set square(int number) const { return Set{rules_.board().square(number)}; }
    std::uint8_t number(Set square) const { return rules_.board().number(square.first()); }

    bool on_board(Ply const& ply) const {
        auto const off = [&](std::uint8_t number) { return number < 1 || number > squares(); };
        return !off(ply.origin) && !off(ply.target) && std::ranges::none_of(ply.captures, off);
    }

    Set set_of(std::span<std::uint8_t const> numbers) const {
        Set set;
        for (auto number : numbers) { set |= square(number); }
        return set;
    }

    template <Colour Us>
    static bool crowns(Position<R> const& position, Set origin, Set target) {
        return !position.kings.meets(origin) && detail::may_crown(position, origin) &&
               target.meets(position.rules.template crown_squares<Us>());
    }

    template <Colour Us>
    void show_step(Position<R> const& position, Set origin, Set target, PlyVisitor visit) const {
        std::array const path{number(origin), number(target)};
        // A piece that its own side takes off counts as taken.
        auto const taken = std::span{path}.first(position.in_opening() ? 1 : 0);
        visit(Ply{path[0], path[1], crowns<Us>(position, origin, target), taken, path});
    }

    template <Colour Us>
    void show_quiet(Position<R> const& position, Set origin, PlyVisitor visit) const {
        for (auto target : quiet_targets<Us>(position, origin)) {
            show_step<Us>(position, origin, target, visit);
        }
    }

    void show(Route<R> const& route, PlyVisitor visit) const {
        std::array<std::uint8_t, capacity> captures;
        std::array<std::uint8_t, capacity> path;
        auto const& trail = route.trail;
        path[0] = number(route.capture.origin);
        for (std::size_t i = 0; i < trail.length; ++i) {
            captures[i] = rules_.board().number(trail.taken[i]);
            path[i + 1] = rules_.board().number(trail.landed[i]);
        }
        visit(Ply{path[0], path[trail.length], route.capture.crowns, std::span{captures}.first(trail.length),
                  std::span{path}.first(trail.length + 1)});
    }

    template <Colour Us>
    Verdict find_routes(Position<R> const& position, Set origins, std::span<std::uint8_t const> named,
                        PlyVisitor visit, Budget budget) const {
        RouteList<R> routes{position};
        if (!find_captures<Us>(position, origins, routes, budget)) { return Verdict::too_many_captures; }
        Set const origin = square(named.front());
        Set const target = square(named.back());
        InlineList<Square, 16> between;
        for (auto one : named.subspan(1, named.size() - 2)) { between.push_back(rules_.board().square(one)); }
        std::span const via{between.begin(), between.size()};
        for (auto const& route : routes) {
            if (route.capture.origin != origin || route.capture.target != target) { continue; }
            auto const verdict = leads_over(position, route.capture, route.trail, via)
                                     ? Verdict::done
                                     : find_route<Us>(position, route.capture, routes.rank(), via, budget);
            if (verdict == Verdict::too_many_captures) { return verdict; }
            if (verdict == Verdict::done) { show(route, visit); }
        }
        return Verdict::done;
    }

    // Whether another route of the same capture leads over `via`.
    template <Colour Us>
    static Verdict find_route(Position<R> const& position, Capture<R> const& capture, Rank<R> rank,
                              std::span<Square const> via, Budget budget) {
        if (via.size() >= static_cast<std::size_t>(capture.taken.count())) { return Verdict::illegal; }
        RouteMatch<R> match{position, capture, rank, via};
        budget.plain = budget.distinct;
        CaptureSearch<R, Us, RouteMatch<R>> search{position, match, budget};
        if (!search.run(capture.origin) && !match.found()) { return Verdict::too_many_captures; }
        return match.found() ? Verdict::done : Verdict::illegal;
    }

    template <Colour Us>
    Verdict play_quiet(Position<R> const& position, Ply const& ply, State& next) const {
        Set const origin = square(ply.origin);
        Set const target = square(ply.target);
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
                                State& next, Budget budget) {
        CaptureList<R> captures{position};
        if (!find_captures<Us>(position, origins, captures, budget)) { return Verdict::too_many_captures; }
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

    R rules_;
};

template <class R>
std::unique_ptr<Laws> make_laws(RuleTable<Wide> const& table, R rules) {
    return std::make_unique<RuleSet<R>>(table, rules);
}

}  // namespace crownhead
