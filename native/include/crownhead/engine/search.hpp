// Principal variation search (PVS) by one thread; the threads of a search share the transposition table.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <span>
#include <vector>

#include "crownhead/engine/evaluator.hpp"
#include "crownhead/engine/move_list.hpp"
#include "crownhead/engine/searcher.hpp"
#include "crownhead/engine/table_scores.hpp"

namespace crownhead::engine {

// The moves that a node expects, from the node on; one for each ply makes the triangular PV table.
struct PrincipalVariation {
    std::array<MoveCode, max_ply> codes;
    int length = 0;

    void clear() { length = 0; }
    void set(MoveCode first, PrincipalVariation const& rest) {
        codes[0] = first;
        length = std::min(rest.length + 1, max_ply);
        std::copy_n(rest.codes.begin(), length - 1, codes.begin() + 1);
    }
};

// The best line of a search of the root, and its score, which is a lower bound after a fail high.
struct RootLine {
    Score score = 0;
    PrincipalVariation moves;
};

// Fail-soft PVS (Marsland and Campbell 1982; Reinefeld's NegaScout 1983): the first move of a node is
// searched with the whole window, the others with a null window first.
template <class R>
class Search {
    using MoveList = typename Arena<R>::MoveList;
    using Set = typename R::Set;

  public:
    Search(TranspositionTable& table, Evaluator<R> const& evaluator, bool is_main_thread)
        : table_{table}, evaluator_{evaluator}, is_main_thread_{is_main_thread} {}

    // Begins the search of a position, before which the game had `keys`, the last one last, since the last
    // irreversible move. What moves were worth in the search before counts half; its killer moves, which
    // belong to other plies, are forgotten.
    void begin(SearchControl& control, Margins const& margins, bool stuck_wins,
               std::span<std::uint64_t const> keys) {
        control_ = &control;
        margins_ = margins;
        endgames_ = TableScores{control.tables()};
        stuck_wins_ = stuck_wins;
        nodes_.store(0, std::memory_order_relaxed);
        selective_depth_ = 0;
        path_.assign(keys.begin(), keys.end());
        path_.reserve(keys.size() + max_ply + 1);
        reversible_plies_[0] = static_cast<int>(keys.size());
        killers_ = {};
        for (auto& of_side : history_) {
            for (auto& value : of_side) { value /= 2; }
        }
    }

    // Forgets what moves were worth.
    void forget() { history_ = {}; }

    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    int selective_depth() const { return selective_depth_; }
    Margins const& margins() const { return margins_; }
    PrincipalVariation const& pv() const { return pv_[0]; }

    // The best line that the last search of the root has found so far: complete even where that search was
    // stopped. Empty before its first move has been searched, and where that was not better than alpha.
    RootLine const& root_line() const { return root_line_; }
    void clear_root_line() { root_line_.moves.clear(); }

    // The value of the root without the moves in `excluded_root_moves`.
    template <Colour Us>
    Score search_root(Position<R> const& position, int depth, Score alpha, Score beta,
                      std::vector<MoveCode> const& excluded_root_moves) {
        excluded_root_moves_ = &excluded_root_moves;
        root_depth_ = depth;
        return search<Us, true>(position, key_of<Us>(position), depth, alpha, beta, 0);
    }

    Arena<R>& arena() { return arena_; }

    void disable_tables() { endgames_ = {}; }
    // The root, of so many pieces, is won or lost, at a distance that the tables do not know.
    void search_for_progress(endgame::Result root, int pieces) {
        endgames_.search_for_progress(root, pieces);
    }

  private:
    // Plies left, and hundredths of a man: as in `margins.hpp`.
    static constexpr int reverse_futility_max_depth = 3;
    static constexpr Score reverse_futility_max_beta = 200;  // beyond it a quick win is worth looking for
    static constexpr int probcut_min_depth = 4;
    static constexpr int iid_min_depth = 5;
    static constexpr int iid_reduction = 2;
    static constexpr int iir_min_depth = 4;
    static constexpr int etc_min_depth = 4;
    static constexpr int lmr_min_depth = 3;
    static constexpr int singular_min_depth = 8;
    static constexpr int singular_reduction = 4;

    // A node of the tree; at depth 0 and below it is one of the quiescence search. `excluded` is the move
    // that a singular extension search leaves out.
    template <Colour Us, bool IsPv>
    Score search(Position<R> const& position, std::uint64_t key, int depth, Score alpha, Score beta, int ply,
                 MoveCode excluded = 0) {
        if constexpr (IsPv) { pv_[ply].clear(); }
        if (!count_node()) { return 0; }
        selective_depth_ = std::max(selective_depth_, ply);
        if (Score score = 0; ply > 0 && is_game_over<Us>(position, key, ply, score)) { return score; }
        auto const origins = capturing<Us>(position);
        bool const is_probed = ply == 1 || (ply > 1 && depth > 0 && origins.empty());
        if (is_probed && position.occupied().count() <= endgames_.most()) {
            Score score = 0;
            int const limit = control_->limits().drawn_after;
            int const in_time = limit == 0 ? 2 * max_ply : limit - reversible_plies_[ply];
            if (endgames_.score<Us>(position, origins, alpha, beta, ply, in_time, score)) { return score; }
        }
        if (ply >= max_ply - 1) { return evaluate<Us>(position); }
        if (depth <= 0 && is_quiet<Us>(position, origins, depth)) {
            return evaluate_leaf<Us>(position, origins, alpha, beta, ply);
        }
        return search_interior<Us, IsPv>(position, key, origins, depth, alpha, beta, ply, excluded);
    }

    // Whether the game ends here, or a position comes again, which counts as a draw.
    template <Colour Us>
    bool is_game_over(Position<R> const& position, std::uint64_t key, int ply, Score& score) const {
        if (decided<Us>(position)) {
            score = decided_score<Us>(position, ply);
            return true;
        }
        auto const since = static_cast<std::size_t>(reversible_plies_[ply]);
        if (int const limit = control_->limits().drawn_after; limit > 0 && reversible_plies_[ply] >= limit) {
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
    static Score decided_score(Position<R> const& position, int ply) {
        return decide<Us>(position).mover_wins ? won_in(ply) : lost_in(ply);
    }

    Score stuck(int ply) const { return stuck_wins_ ? won_in(ply) : lost_in(ply); }

    // Where the quiescence search stops: captures are played out, and once, where the other side threatens to
    // take something, the replies to that. In konane every move is a jump, and none is a threat.
    template <Colour Us>
    static bool is_quiet(Position<R> const& position, Set origins, int depth) {
        if (position.rules->jumps_only) { return true; }
        return origins.empty() && (depth < 0 || !is_threatened<Us>(position));
    }

    template <Colour Us>
    Score evaluate_leaf(Position<R> const& position, Set origins, Score alpha, Score beta, int ply) {
        if (origins.empty() && !any_quiet<Us>(position)) { return stuck(ply); }
        return evaluate<Us>(position, alpha, beta);
    }

    template <Colour Us>
    Score evaluate(Position<R> const& position, Score alpha = -infinite_score, Score beta = infinite_score) {
        return evaluator_.template evaluate<Us>(position, stuck_wins_, asker_, alpha - margins_.network,
                                                beta + margins_.network);
    }

    // Whether the other side could take something after a null move.
    template <Colour Us>
    static bool is_threatened(Position<R> const& position) {
        return !capturing<opponent(Us)>(after_null_move(position)).empty();
    }

    // A node whose moves are searched, unless a cheaper way to its score is found. Nothing below depth 1 is
    // stored in the transposition table.
    template <Colour Us, bool IsPv>
    Score search_interior(Position<R> const& position, std::uint64_t key, Set origins, int depth, Score alpha,
                          Score beta, int ply, MoveCode excluded) {
        // Mate distance pruning: no line from here is better than a win at the next ply, or worse than a
        // loss.
        alpha = std::max(alpha, lost_in(ply));
        beta = std::min(beta, won_in(ply + 1));
        if (alpha >= beta) { return alpha; }

        bool const quiescence = depth <= 0;
        Entry entry;
        bool const known = excluded == 0 && !quiescence && table_.probe(key, entry);
        if (known) {
            Score const score = from_table(entry.score, ply);
            if (!IsPv && entry.depth >= depth && causes_cutoff(entry.bound, score, alpha, beta)) {
                return score;
            }
        }
        bool const no_captures = origins.empty();
        if (!IsPv && no_captures && !quiescence && excluded == 0 && !is_decisive(beta)) {
            Score score = 0;
            if (depth >= probcut_min_depth && probcut<Us>(position, key, depth, beta, ply, score)) {
                return score;
            }
            if (depth <= reverse_futility_max_depth && reverse_futility<Us>(position, depth, beta, score)) {
                return score;
            }
        }
        MoveCode table_move = known ? entry.best_move : MoveCode{0};
        // Internal iterative deepening (IID): a shallower search finds the move to begin with.
        if (IsPv && table_move == 0 && depth >= iid_min_depth) {
            search<Us, true>(position, key, depth - iid_reduction, alpha, beta, ply);
            if (control_->stopped()) { return 0; }
            if (table_.probe(key, entry)) { table_move = entry.best_move; }
            pv_[ply].clear();
        }
        // Internal iterative reduction (IIR; Rebel, Schröder): what no search has met before matters less.
        if (!IsPv && table_move == 0 && depth >= iir_min_depth && excluded == 0) { --depth; }
        MoveList list{arena_};
        if (!generate_moves<Us>(position, origins, list)) { return evaluate<Us>(position); }
        if (list.count() == 0) { return stuck(ply); }
        return search_moves<Us, IsPv>(position, key, list, depth, alpha, beta, ply, table_move,
                                      known ? entry : Entry{}, excluded, no_captures);
    }

    template <Colour Us, bool IsPv>
    Score search_moves(Position<R> const& position, std::uint64_t key, MoveList& list, int depth, Score alpha,
                       Score beta, int ply, MoveCode table_move, Entry const& entry, MoveCode excluded,
                       bool no_captures) {
        bool const quiescence = depth <= 0;
        Score const original_alpha = alpha;
        order_moves<Us>(list, table_move, ply);
        if (!IsPv && depth >= etc_min_depth && ply > 0 && excluded == 0) {
            if (Score score = 0; enhanced_transposition_cutoff(list, depth, beta, ply, score)) {
                return score;
            }
        }
        int const singular = IsPv ? singular_extension<Us>(position, key, depth, ply, entry, excluded) : 0;
        Score best = -infinite_score;
        MoveCode best_move = 0;
        int searched = 0;
        for (int i = 0; i < list.count(); ++i) {
            auto const& move = list.pick(i);
            if (move.code == excluded || (ply == 0 && is_excluded_root_move(move.code))) { continue; }
            // One-reply extension: a forced move costs no depth.
            int extension = list.count() == 1 ? 1 : 0;
            if (move.code == entry.best_move) { extension = std::max(extension, singular); }
            int const next_depth = !quiescence ? depth - 1 + extension : no_captures ? -1 : depth;
            int const reduction = no_captures ? late_move_reduction(move, depth, searched, IsPv) : 0;
            make_move(key, move, ply);
            Score const score =
                search_move<Us, IsPv>(move, next_depth, alpha, beta, ply, searched, reduction);
            unmake_move();
            if (control_->stopped()) { return 0; }
            ++searched;
            if (score > best) {
                best = score;
                best_move = move.code;
                if (score > alpha) {
                    alpha = score;
                    if constexpr (IsPv) {
                        pv_[ply].set(move.code, pv_[ply + 1]);
                        if (ply == 0 && depth == root_depth_) { root_line_ = {score, pv_[0]}; }
                    }
                }
            }
            if (alpha >= beta) {
                if (no_captures) { update_killers_and_history<Us>(list, i, depth, ply); }
                break;
            }
        }
        if (searched == 0) { return excluded != 0 ? alpha : lost_in(ply); }
        if (!quiescence && excluded == 0 && !(ply == 0 && !excluded_root_moves_->empty())) {
            Bound const bound = best >= beta            ? Bound::lower
                                : best > original_alpha ? Bound::exact
                                                        : Bound::upper;
            table_.store(key, bound == Bound::upper ? table_move : best_move, to_table(best, ply), depth,
                         bound);
        }
        return best;
    }

    // Null window searches, the first one reduced, and the whole window for what then improves the PV.
    template <Colour Us, bool IsPv>
    Score search_move(SearchMove<R> const& move, int depth, Score alpha, Score beta, int ply, int searched,
                      int reduction) {
        constexpr Colour they = opponent(Us);
        auto const value = [&]<bool Pv>(int to, Score low, Score high) {
            return -search<they, Pv>(move.next, move.key, to, -high, -low, ply + 1);
        };
        if (searched == 0) { return value.template operator()<IsPv>(depth, alpha, beta); }
        Score score = value.template operator()<false>(depth - reduction, alpha, alpha + 1);
        if (reduction > 0 && score > alpha) {
            score = value.template operator()<false>(depth, alpha, alpha + 1);
        }
        if constexpr (IsPv) {
            if (score > alpha && score < beta) {
                score = value.template operator()<true>(depth, alpha, beta);
            }
        }
        return score;
    }

    // Late-move reduction (LMR; Tord Romstad's Glaurung): moves far down in the order are seldom good, and
    // are searched less deeply first.
    static int late_move_reduction(SearchMove<R> const& move, int depth, int searched, bool is_pv) {
        if (depth < lmr_min_depth || move.crowns || move.taken > 0) { return 0; }
        if (is_pv) { return searched >= 4 ? 1 : 0; }
        return searched >= 5 ? 2 : searched >= 2 ? 1 : 0;
    }

    // ProbCut (Buro 1995): where a shallow search is far above beta, a deep one most probably is above it
    // too.
    template <Colour Us>
    bool probcut(Position<R> const& position, std::uint64_t key, int depth, Score beta, int ply,
                 Score& score) {
        Score const bound = beta + margins_.probcut * depth;
        int const shallow = depth * margins_.probcut_depth / 100;
        score = search<Us, false>(position, key, shallow, bound - 1, bound, ply);
        return !control_->stopped() && score >= bound && !is_forced(score);
    }

    // Reverse futility pruning (static null move): with few plies left, a position that stands well above
    // beta and is not threatened stays there. Not where one side is far ahead: a quick win is worth looking
    // for.
    template <Colour Us>
    bool reverse_futility(Position<R> const& position, int depth, Score beta, Score& score) {
        if (std::abs(beta) > reverse_futility_max_beta || is_threatened<Us>(position) ||
            !any_quiet<Us>(position)) {
            return false;
        }
        Score const enough = beta + margins_.reverse_futility * (1 + depth);
        score = evaluate<Us>(position, enough - 1, enough);
        return score >= enough;
    }

    // Singular extension (Anantharaman, Campbell and Hsu 1988): one more ply for the move of the table where
    // a shallower search finds all others clearly worse.
    template <Colour Us>
    int singular_extension(Position<R> const& position, std::uint64_t key, int depth, int ply,
                           Entry const& entry, MoveCode excluded) {
        if (depth < singular_min_depth || ply == 0 || excluded != 0 || entry.best_move == 0 ||
            entry.depth < depth - singular_reduction || entry.bound == Bound::upper ||
            is_forced(entry.score)) {
            return 0;
        }
        Score const low = entry.score - margins_.singular;
        Score const others =
            search<Us, false>(position, key, depth - singular_reduction, low - 1, low, ply, entry.best_move);
        return others < low ? 1 : 0;
    }

    // Enhanced transposition cut-off (ETC; Plaat, Schaeffer, Pijls and de Bruin 1996): a move to a position
    // that the table knows to be bad enough for the other side cuts the node off unsearched.
    bool enhanced_transposition_cutoff(MoveList& list, int depth, Score beta, int ply, Score& score) {
        for (int i = 0; i < list.count(); ++i) {
            Entry entry;
            if (!table_.probe(list[i].key, entry) || entry.depth < depth - 1) { continue; }
            score = -from_table(entry.score, ply + 1);
            if (entry.bound != Bound::lower && score >= beta && !is_on_path(list[i].key)) { return true; }
        }
        return false;
    }

    bool is_on_path(std::uint64_t key) const { return std::ranges::find(path_, key) != path_.end(); }

    // Move ordering: the move of the transposition table, captures by pieces taken, crownings, killer moves
    // (Huberman 1968), the others by the history heuristic (Schaeffer 1983).
    template <Colour Us>
    void order_moves(MoveList& list, MoveCode table_move, int ply) {
        for (int i = 0; i < list.count(); ++i) {
            auto& move = list[i];
            move.key = key_of<opponent(Us)>(move.next);
            table_.prefetch(move.key);
            if (move.code == table_move) {
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
    void update_killers_and_history(MoveList& list, int i, int depth, int ply) {
        auto const code = list[i].code;
        if (killers_[ply][0] != code) {
            killers_[ply][1] = killers_[ply][0];
            killers_[ply][0] = code;
        }
        int const bonus = std::min(depth * depth, 400);
        update_history<Us>(code, bonus);
        for (int j = 0; j < i; ++j) { update_history<Us>(list[j].code, -bonus); }
    }

    // The nearer a value is to its limit, the less a bonus changes it ("history gravity", Stockfish).
    template <Colour Us>
    void update_history(MoveCode code, int bonus) {
        auto& value = history_[static_cast<int>(Us)][code & (history_size - 1)];
        value += bonus - value * std::abs(bonus) / (1 << 14);
    }

    void make_move(std::uint64_t key, SearchMove<R> const& move, int ply) {
        path_.push_back(key);
        reversible_plies_[ply + 1] = move.is_irreversible() ? 0 : reversible_plies_[ply] + 1;
    }
    void unmake_move() { path_.pop_back(); }

    bool is_excluded_root_move(MoveCode code) const {
        return std::ranges::find(*excluded_root_moves_, code) != excluded_root_moves_->end();
    }

    static bool causes_cutoff(Bound bound, Score score, Score alpha, Score beta) {
        return bound == Bound::exact || (bound == Bound::lower && score >= beta) ||
               (bound == Bound::upper && score <= alpha);
    }

    // The table holds wins by their distance from the position, not from the root.
    static Score to_table(Score score, int ply) {
        return is_won(score) ? score + ply : is_lost(score) ? score - ply : score;
    }
    static Score from_table(Score score, int ply) {
        return is_won(score) ? score - ply : is_lost(score) ? score + ply : score;
    }

    bool count_node() {
        auto const nodes = nodes_.load(std::memory_order_relaxed) + 1;
        nodes_.store(nodes, std::memory_order_relaxed);
        if (is_main_thread_ && (nodes & 255) == 0) { control_->check_limits(nodes); }
        return !control_->stopped();
    }

    static constexpr std::size_t history_size = std::size_t{1} << 14;

    TranspositionTable& table_;
    Evaluator<R> const& evaluator_;
    NetworkAsker<R> asker_;             // of the network of that evaluator
    SearchControl* control_ = nullptr;  // of the search that has begun
    Margins margins_;
    TableScores endgames_;
    bool stuck_wins_ = false;
    bool is_main_thread_;
    std::atomic<std::uint64_t> nodes_{0};  // counted by one thread, read by the one that reports
    int selective_depth_ = 0;
    std::vector<MoveCode> const* excluded_root_moves_ = nullptr;
    int root_depth_ = 0;
    RootLine root_line_;
    std::vector<std::uint64_t> path_;  // keys of the game and, behind them, of the line to the node
    Arena<R> arena_;
    std::array<PrincipalVariation, max_ply + 1> pv_{};
    std::array<int, max_ply + 1> reversible_plies_{};  // at each ply, since the last irreversible move
    std::array<std::array<MoveCode, 2>, max_ply + 1> killers_{};
    std::array<std::array<int, history_size>, 2> history_{};
};

}  // namespace crownhead::engine
