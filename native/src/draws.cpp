// The counters of draw rules, which need no laws.
#include "crownhead/draws.hpp"

#include <algorithm>

namespace crownhead {
namespace {

DrawForce force(Wide side, Wide kings) {
    auto const crowned = popcount(side & kings);
    return {crowned, popcount(side) - crowned};
}

bool contains(std::vector<DrawForce> const& forces, DrawForce force) {
    return std::ranges::find(forces, force) != forces.end();
}

}  // namespace

DrawCounts::DrawCounts(std::vector<CountedDraw> rules, State const& start) : rules_{std::move(rules)} {
    line_.push_back(start);
    since_capture_.push_back(0);
    for (auto const& rule : rules_) {
        counts_.push_back(rule.kind == DrawKind::repetition ? 1
                          : rule.kind == DrawKind::quiet    ? 0
                          : stands(rule, start)             ? 0
                                                            : not_standing);
    }
}

void DrawCounts::push(DrawProgress const& move, State const& after) {
    auto const since = move.captures ? 0 : since_capture_.back() + 1;
    auto const last = counts_.size() - rules_.size();
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        counts_.push_back(next(rules_[i], counts_[last + i], move.bits(), since, after));
    }
    line_.push_back(after);
    since_capture_.push_back(since);
}

void DrawCounts::pop() {
    line_.pop_back();
    since_capture_.pop_back();
    counts_.resize(counts_.size() - rules_.size());
}

bool DrawCounts::is_satisfied(std::size_t rule, bool automatic) const {
    return rules_[rule].automatic == automatic && counts()[rule] >= rules_[rule].enough;
}

// The count of a rule after a ply, before which it was `count`.
int DrawCounts::next(CountedDraw const& rule, int count, unsigned done, int since, State const& state) const {
    switch (rule.kind) {
        case DrawKind::repetition: return occurrences(state, since);
        case DrawKind::quiet: return (done & rule.resets) != 0 ? 0 : count + 1;
        default: break;
    }
    if (!stands(rule, state)) { return not_standing; }
    return (done & rule.resets) != 0 ? 0 : count + 1;
}

// How often a position that is reached now has occurred; no capture is ever undone.
int DrawCounts::occurrences(State const& state, int since) const {
    int times = 1;
    auto const reached = line_.size();
    for (std::size_t ago = 2; ago <= static_cast<std::size_t>(since); ago += 2) {
        times += line_[reached - ago] == state ? 1 : 0;
    }
    return times;
}

// Whether the pieces are those that a rule is about; both sides have a king.
bool DrawCounts::stands(CountedDraw const& rule, State const& state) {
    auto const own = state.own & state.kings;
    auto const theirs = state.theirs & state.kings;
    if (own == 0 || theirs == 0) { return false; }
    auto const ours = force(state.own, state.kings);
    auto const others = force(state.theirs, state.kings);
    if (rule.kind == DrawKind::balance) {
        auto const pieces = ours.pieces() + others.pieces();
        return rule.fewest <= pieces && pieces <= rule.most;
    }
    auto const placed = [&](Wide kings) { return !rule.on_road || (kings & ~rule.road) == 0; };
    return (contains(rule.strong, ours) && contains(rule.weak, others) && placed(theirs)) ||
           (contains(rule.strong, others) && contains(rule.weak, ours) && placed(own));
}

}  // namespace crownhead
