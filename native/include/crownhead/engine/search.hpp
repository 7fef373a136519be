// Principal variation search by one thread; the transposition table is what threads have in common.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <vector>

#include "crownhead/endgame/open_tables.hpp"
#include "crownhead/engine/candidates.hpp"
#include "crownhead/engine/control.hpp"
#include "crownhead/engine/weights.hpp"

namespace crownhead::engine {

// The moves that a node expects, from the node on.
struct Expected {
    std::array<MoveCode, most_plies> codes;
    int length = 0;

    void clear() { length = 0; }
    void begin_with(MoveCode code, Expected const& rest) {
        codes[0] = code;
        length = std::min(rest.length + 1, most_plies);
        std::copy_n(rest.codes.begin(), length - 1, codes.begin() + 1);
    }
};

template <Rules R>
class Search {
    using List = typename Arena<R>::List;
    using Set = typename Position<R>::Set;

  public:
    Search(Table& table, Judge<R> const& judge, Control& control, bool stuck_wins, bool leads)
        : table_{table},
          judge_{judge},
          control_{control},
          endgames_{static_cast<endgame::RuleSetTables<R> const*>(control.tables())},
          stuck_wins_{stuck_wins},
          leads_{leads} {}

    std::uint64_t nodes() const { return nodes_; }
    int reached() const { return reached_; }
    Expected const& expected() const { return expected_[0]; }

    // Positions of the game before the root, the last one last, since something was taken or a man moved.
    void remember(std::span<std::uint64_t const> keys) {
        path_.assign(keys.begin(), keys.end());
        path_.reserve(keys.size() + most_plies + 1);
        quiet_[0] = static_cast<int>(keys.size());
    }

    // The value of a root whose moves `barred` are left out of account.
    template <Colour Us>
    Score root(Position<R> const& position, int depth, Score alpha, Score beta,
               std::vector<MoveCode> const& barred) {
        barred_ = &barred;
        return node<Us, true>(position, key_of<R, Us>(position), depth, alpha, beta, 0);
    }

    Arena<R>& arena() { return arena_; }

    void do_without_tables() { endgames_ = nullptr; }

  private:
    static constexpr int quick_depth = 3;       // below it no deeper look pays
    static constexpr Score safe = 20;           // above beta, once and for each ply left
    static constexpr Score far_ahead = 200;     // from here on a win is sought to its end
    static constexpr Score cautious_step = 40;  // how much better than all others a singular move is

    template <Colour Us, bool IsPv>
    Score node(Position<R> const& position, std::uint64_t key, int depth, Score alpha, Score beta, int ply,
               MoveCode excluded = 0) {
        if constexpr (IsPv) { expected_[ply].clear(); }
        if (!count()) { return 0; }
        reached_ = std::max(reached_, ply);
        if (Score score = 0; ply > 0 && over<Us>(position, key, ply, score)) { return score; }
        auto const origins = capturing<Us>(position);
        if (Score score = 0; ply > 0 && tabled<Us>(position, origins, depth, ply, score)) { return score; }
        if (ply >= most_plies - 1) { return judge_.template value<Us>(position, stuck_wins_); }
        if (depth <= 0 && is_calm<Us>(position, origins, depth)) { return leaf<Us>(position, origins, ply); }
        return branch<Us, IsPv>(position, key, origins, depth, alpha, beta, ply, excluded);
    }

    // The game ends here, or comes back to where it was.
    template <Colour Us>
    bool over(Position<R> const& position, std::uint64_t key, int ply, Score& score) const {
        if (decided<Us>(position)) {
            score = ending_of<Us>(position, ply);
            return true;
        }
        auto const since = static_cast<std::size_t>(quiet_[ply]);
        if (int const limit = control_.limits().drawn_after; limit > 0 && quiet_[ply] >= limit) {
            score = draw;
            return !capturing<Us>(position).empty() || any_quiet<Us>(position);
        }
        auto const reach = std::min(since, path_.size());
        for (std::size_t back = 4; back <= reach; back += 2) {
            if (path_[path_.size() - back] == key) {
                score = draw;
                return true;
            }
        }
        return false;
    }

    template <Colour Us>
    Score ending_of(Position<R> const& position, int ply) const {
        if constexpr (R.has_mules() || R.first_king_wins) {
            return decide<Us>(position).mover_wins ? won_in(ply) : lost_in(ply);
        } else {
            return lost_in(ply);
        }
    }

    // What an endgame table says: of the moves of the root, and deeper where nothing can be taken. A win that
    // the counter of moves without progress may overtake, or that the table does not time, is no forced one;
    // the sooner it comes the better it is all the same.
    template <Colour Us>
    bool tabled(Position<R> const& position, Set origins, int depth, int ply, Score& score) const {
        if (endgames_ == nullptr || (ply > 1 && (depth <= 0 || !origins.empty()))) { return false; }
        auto const verdict = origins.empty() ? endgames_->template quiet<Us>(position)
                                             : endgames_->template verdict<Us>(position);
        if (!verdict) { return false; }
        if (verdict->result == endgame::Result::draw) {
            score = draw;
            return true;
        }
        int const limit = control_.limits().drawn_after;
        int const latest = 2 * most_plies - 1 - ply;
        int const plies = std::min(verdict->plies.value_or(latest), latest);
        bool const in_time = verdict->plies == plies && (limit == 0 || quiet_[ply] + plies <= limit);
        Score const won = (in_time ? won_now : surely_won) - ply - plies;
        score = verdict->result == endgame::Result::win ? won : -won;
        return true;
    }

    Score stuck(int ply) const { return stuck_wins_ ? won_in(ply) : lost_in(ply); }

    // Where nothing is left to search, captures are still played out, and once, where the other side would
    // take something, what can be done about it. In konane every move is a jump, and none is a threat.
    template <Colour Us>
    static bool is_calm(Position<R> const& position, Set origins, int depth) {
        if constexpr (R.jumps_only) { return true; }
        return origins.empty() && (depth < 0 || !threatened<Us>(position));
    }

    template <Colour Us>
    Score leaf(Position<R> const& position, Set origins, int ply) const {
        if (origins.empty() && !any_quiet<Us>(position)) { return stuck(ply); }
        return judge_.template value<Us>(position, stuck_wins_);
    }

    template <Colour Us>
    static bool threatened(Position<R> const& position) {
        return !capturing<opponent(Us)>(passed(position)).empty();
    }

    // A node whose moves are tried. Of those below depth 1 nothing is kept in the table.
    template <Colour Us, bool IsPv>
    Score branch(Position<R> const& position, std::uint64_t key, Set origins, int depth, Score alpha,
                 Score beta, int ply, MoveCode excluded) {
        // No line from here can be better than a win at the next ply, or worse than a loss now.
        alpha = std::max(alpha, lost_in(ply));
        beta = std::min(beta, won_in(ply + 1));
        if (alpha >= beta) { return alpha; }

        bool const quiescent = depth <= 0;
        Entry entry;
        bool const known = excluded == 0 && !quiescent && table_.probe(key, entry);
        if (known) {
            Score const score = from_table(entry.score, ply);
            if (!IsPv && entry.depth >= depth && settles(entry.bound, score, alpha, beta)) { return score; }
        }
        bool const calm = origins.empty();
        if (!IsPv && calm && !quiescent && excluded == 0 && !is_sure(beta)) {
            Score score = 0;
            if (depth > quick_depth ? probably_good<Us>(position, key, depth, beta, ply, score)
                                    : good_as_it_is<Us>(position, depth, beta, score)) {
                return score;
            }
        }
        MoveCode best = known ? entry.best : MoveCode{0};
        if (IsPv && best == 0 && depth > quick_depth + 1) {
            node<Us, true>(position, key, depth - 2, alpha, beta, ply);
            if (control_.stopped()) { return 0; }
            if (table_.probe(key, entry)) { best = entry.best; }
            expected_[ply].clear();
        }
        // What nobody thought of before is seldom on the way to something.
        if (!IsPv && best == 0 && depth > quick_depth && excluded == 0) { --depth; }
        List list{arena_};
        if (!find_candidates<Us>(position, origins, list)) {
            return judge_.template value<Us>(position, stuck_wins_);
        }
        if (list.count() == 0) { return stuck(ply); }
        return try_moves<Us, IsPv>(position, key, list, depth, alpha, beta, ply, best,
                                   known ? entry : Entry{}, excluded, calm);
    }

    template <Colour Us, bool IsPv>
    Score try_moves(Position<R> const& position, std::uint64_t key, List& list, int depth, Score alpha,
                    Score beta, int ply, MoveCode first, Entry const& entry, MoveCode excluded, bool calm) {
        bool const quiescent = depth <= 0;
        Score const floor = alpha;
        prepare<Us>(list, first, ply);
        if (!IsPv && depth > quick_depth && ply > 0 && excluded == 0) {
            if (Score score = 0; refuted_by_table(list, depth, beta, ply, score)) { return score; }
        }
        int const singular = IsPv ? extension_of<Us>(position, key, depth, ply, entry, excluded) : 0;
        Score best = -unbounded;
        MoveCode best_code = 0;
        int tried = 0;
        for (int i = 0; i < list.count(); ++i) {
            auto const& move = list.pick(i);
            if (move.code == excluded || (ply == 0 && barred(move.code))) { continue; }
            int extension = list.count() == 1 ? 1 : 0;
            if (move.code == entry.best) { extension = std::max(extension, singular); }
            int const deeper = !quiescent ? depth - 1 + extension : calm ? -1 : depth;
            enter(key, move, ply);
            Score const score = try_move<Us, IsPv>(move, deeper, alpha, beta, ply, tried, calm,
                                                   reduction(move, depth, tried, IsPv));
            leave();
            if (control_.stopped()) { return 0; }
            ++tried;
            if (score > best) {
                best = score;
                best_code = move.code;
                if (score > alpha) {
                    alpha = score;
                    if constexpr (IsPv) { expected_[ply].begin_with(move.code, expected_[ply + 1]); }
                }
            }
            if (alpha >= beta) {
                if (calm) { reward<Us>(list, i, depth, ply); }
                break;
            }
        }
        if (tried == 0) { return excluded != 0 ? alpha : lost_in(ply); }
        if (!quiescent && excluded == 0 && !(ply == 0 && !barred_->empty())) {
            Bound const bound = best >= beta ? Bound::at_least : best > floor ? Bound::exact : Bound::at_most;
            table_.store(key, bound == Bound::at_most ? first : best_code, to_table(best, ply), depth, bound);
        }
        return best;
    }

    template <Colour Us, bool IsPv>
    Score try_move(Candidate<R> const& move, int depth, Score alpha, Score beta, int ply, int tried,
                   bool calm, int reduced) {
        constexpr Colour they = opponent(Us);
        auto const value = [&]<bool Pv>(int to, Score low, Score high) {
            return -node<they, Pv>(move.next, move.key, to, -high, -low, ply + 1);
        };
        if (tried == 0) { return value.template operator()<IsPv>(depth, alpha, beta); }
        Score score = 0;
        int const less = calm ? reduced : 0;
        score = value.template operator()<false>(depth - less, alpha, alpha + 1);
        if (less > 0 && score > alpha) { score = value.template operator()<false>(depth, alpha, alpha + 1); }
        if constexpr (IsPv) {
            if (score > alpha && score < beta) {
                score = value.template operator()<true>(depth, alpha, beta);
            }
        }
        return score;
    }

    // Late moves are seldom good: they are looked at less deeply first.
    static int reduction(Candidate<R> const& move, int depth, int tried, bool is_pv) {
        if (depth < quick_depth || move.crowns || move.taken > 0) { return 0; }
        if (is_pv) { return tried >= 4 ? 1 : 0; }
        return tried >= 5 ? 2 : tried >= 2 ? 1 : 0;
    }

    // A shallow search that is far above beta is believed.
    template <Colour Us>
    bool probably_good(Position<R> const& position, std::uint64_t key, int depth, Score beta, int ply,
                       Score& score) {
        Score const margin = beta + 10 * depth;
        int const shallow = depth * 2 / 5;
        score = node<Us, false>(position, key, shallow, margin - 1, margin, ply);
        return !control_.stopped() && score >= margin && !is_decided(score);
    }

    // With few plies left, what stands above beta and is not threatened stays there. Where one side is far
    // ahead all the same, a quick win is worth looking for.
    template <Colour Us>
    bool good_as_it_is(Position<R> const& position, int depth, Score beta, Score& score) const {
        if (std::abs(beta) > far_ahead || threatened<Us>(position) || !any_quiet<Us>(position)) {
            return false;
        }
        score = judge_.template value<Us>(position, stuck_wins_);
        return score >= beta + safe * (1 + depth);
    }

    // One more ply for a move that all others are clearly worse than.
    template <Colour Us>
    int extension_of(Position<R> const& position, std::uint64_t key, int depth, int ply, Entry const& entry,
                     MoveCode excluded) {
        if (depth < 8 || ply == 0 || excluded != 0 || entry.best == 0 || entry.depth < depth - 4 ||
            entry.bound == Bound::at_most || is_decided(entry.score)) {
            return 0;
        }
        Score const low = entry.score - cautious_step;
        Score const others = node<Us, false>(position, key, depth - 4, low - 1, low, ply, entry.best);
        return others < low ? 1 : 0;
    }

    // A move after which the other side is known to be badly off need not be searched.
    bool refuted_by_table(List& list, int depth, Score beta, int ply, Score& score) {
        for (int i = 0; i < list.count(); ++i) {
            Entry entry;
            if (!table_.probe(list[i].key, entry) || entry.depth < depth - 1) { continue; }
            score = -from_table(entry.score, ply + 1);
            if (entry.bound != Bound::at_least && score >= beta && !comes_back(list[i].key)) { return true; }
        }
        return false;
    }

    bool comes_back(std::uint64_t key) const { return std::ranges::find(path_, key) != path_.end(); }

    template <Colour Us>
    void prepare(List& list, MoveCode first, int ply) {
        for (int i = 0; i < list.count(); ++i) {
            auto& move = list[i];
            move.key = key_of<R, opponent(Us)>(move.next);
            table_.prefetch(move.key);
            if (move.code == first) {
                move.order = 1 << 30;
            } else if (move.taken > 0) {
                move.order = (1 << 20) + move.taken;
            } else if (move.crowns) {
                move.order = 1 << 19;
            } else if (move.code == killers_[ply][0]) {
                move.order = (1 << 18) + 1;
            } else if (move.code == killers_[ply][1]) {
                move.order = 1 << 18;
            } else {
                move.order = history_[static_cast<int>(Us)][move.code & (history_size - 1)];
            }
        }
    }

    // The move `i` of the list cut its node off; those before it did not.
    template <Colour Us>
    void reward(List& list, int i, int depth, int ply) {
        auto const code = list[i].code;
        if (killers_[ply][0] != code) {
            killers_[ply][1] = killers_[ply][0];
            killers_[ply][0] = code;
        }
        int const bonus = std::min(depth * depth, 400);
        change<Us>(code, bonus);
        for (int j = 0; j < i; ++j) { change<Us>(list[j].code, -bonus); }
    }

    template <Colour Us>
    void change(MoveCode code, int bonus) {
        auto& value = history_[static_cast<int>(Us)][code & (history_size - 1)];
        value += bonus - value * std::abs(bonus) / (1 << 14);
    }

    void enter(std::uint64_t key, Candidate<R> const& move, int ply) {
        path_.push_back(key);
        quiet_[ply + 1] = move.progress() ? 0 : quiet_[ply] + 1;
    }
    void leave() { path_.pop_back(); }

    bool barred(MoveCode code) const { return std::ranges::find(*barred_, code) != barred_->end(); }

    static bool settles(Bound bound, Score score, Score alpha, Score beta) {
        return bound == Bound::exact || (bound == Bound::at_least && score >= beta) ||
               (bound == Bound::at_most && score <= alpha);
    }

    // Wins are kept by their distance from the position, not from the root.
    static Score to_table(Score score, int ply) {
        return is_won(score) ? score + ply : is_lost(score) ? score - ply : score;
    }
    static Score from_table(Score score, int ply) {
        return is_won(score) ? score - ply : is_lost(score) ? score + ply : score;
    }

    bool count() {
        ++nodes_;
        if (leads_ && (nodes_ & 255) == 0) { control_.look(nodes_); }
        return !control_.stopped();
    }

    static constexpr std::size_t history_size = std::size_t{1} << 14;

    Table& table_;
    Judge<R> const& judge_;
    Control& control_;
    endgame::RuleSetTables<R> const* endgames_;
    bool stuck_wins_;
    bool leads_;
    std::uint64_t nodes_ = 0;
    int reached_ = 0;
    std::vector<MoveCode> const* barred_ = nullptr;
    std::vector<std::uint64_t> path_;
    Arena<R> arena_;
    std::array<Expected, most_plies + 1> expected_{};
    std::array<int, most_plies + 1> quiet_{};
    std::array<std::array<MoveCode, 2>, most_plies + 1> killers_{};
    std::array<std::array<int, history_size>, 2> history_{};
};

}  // namespace crownhead::engine
