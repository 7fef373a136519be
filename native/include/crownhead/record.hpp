// Replays records of games in plain PDN without any error or ambiguity; the others are left to the PDN
// reader.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "crownhead/inline_list.hpp"
#include "crownhead/laws.hpp"
#include "crownhead/record_words.hpp"

namespace crownhead {

// Where the moves of a record begin, and how their squares are called.
struct RecordStart {
    State state;
    Laws const* laws;
    SquareNames const* names;
    Budget budget{};  // of each capture search
};

enum class Reading : std::uint8_t {
    good,         // replayed to its end, and nothing is to be said of it
    unsupported,  // illegal, ambiguous, or not plain
    unfinished,   // the text ends within it
};

// The one move that the squares of a text mean, of those that the laws find for them.
class MeantMove {
  public:
    explicit MeantMove(std::span<std::uint8_t const> named) : named_{named} {}

    // A path given in full is that move, even if other moves pass over its squares.
    void operator()(Ply const& ply) {
        bool const is_full = std::ranges::equal(ply.path, named_);
        int& count = is_full ? full_ : partial_;
        if (++count == 1 && (is_full || full_ == 0)) { keep(ply); }
    }

    bool is_one() const { return full_ == 1 || (full_ == 0 && partial_ == 1); }
    Ply ply() const {
        return {
            origin_, target_, crowns_, {captures_.begin(), captures_.size()}, {path_.begin(), path_.size()}};
    }

  private:
    void keep(Ply const& ply) {
        origin_ = ply.origin;
        target_ = ply.target;
        crowns_ = ply.crowns;
        captures_.clear();
        path_.clear();
        for (auto number : ply.captures) { captures_.push_back(number); }
        for (auto number : ply.path) { path_.push_back(number); }
    }

    std::span<std::uint8_t const> named_;
    int full_ = 0;
    int partial_ = 0;
    std::uint8_t origin_ = 0;
    std::uint8_t target_ = 0;
    bool crowns_ = false;
    InlineList<std::uint8_t, 64> captures_;
    InlineList<std::uint8_t, 64> path_;
};

// Plays the moves of one record from its start, and calls `on_ply(ply, state)` with each and the state after
// it.
template <class OnPly>
class RecordReplay {
  public:
    RecordReplay(RecordStart const& start, OnPly& on_ply)
        : start_{start}, state_{start.state}, on_ply_{on_ply} {}

    // Up to the result; empty: the record is unsupported before that.
    std::string_view play(Words& words) {
        bool waits = false;  // a number for its move
        for (;;) {
            auto const word = words.next(*start_.names);
            switch (word.kind) {
                case Word::Kind::move:
                case Word::Kind::short_move:
                    if (!play(words, word.kind == Word::Kind::short_move)) { return {}; }
                    waits = false;
                    break;
                case Word::Kind::number: waits = word.text.find("..") == word.text.npos; break;
                case Word::Kind::remark: break;
                case Word::Kind::result: return waits ? std::string_view{} : word.text;
                case Word::Kind::other: return {};
            }
        }
    }

  private:
    bool play(Words const& words, bool is_short) {
        auto const named = words.squares();
        auto const is_on_board = [&](int number) { return number >= 1 && number <= start_.laws->squares(); };
        if (!std::ranges::all_of(named, is_on_board)) { return false; }
        MeantMove meant{named};
        auto const verdict = is_short ? find_short(words, meant)
                                      : start_.laws->find(state_, named, PlyVisitor{meant}, start_.budget);
        State next{};
        if (verdict != Verdict::done || !meant.is_one() ||
            start_.laws->play(state_, meant.ply(), next, start_.budget) != Verdict::done) {
            return false;
        }
        state_ = next;
        on_ply_(meant.ply(), state_);
        return true;
    }

    Verdict find_short(Words const& words, MeantMove& meant) {
        auto fitting = [&](Ply const& ply) {
            if (ply.target == words.squares().front() && start_.names->file(ply.origin) == words.file()) {
                meant(ply);
            }
        };
        return start_.laws->legal_moves(state_, PlyVisitor{fitting}, start_.budget);
    }

    RecordStart const& start_;
    State state_;
    OnPly& on_ply_;
};

// Whether the result in the tags says the same as the one at the end, if both say who won.
inline bool results_agree(std::string_view tag, std::string_view end) {
    constexpr std::array<std::array<std::string_view, 2>, 3> meanings{
        {{"1-0", "2-0"}, {"0-1", "0-2"}, {"1/2-1/2", "1-1"}}};
    constexpr std::array<std::string_view, 4> unknown{"", "*", "?", "0-0"};
    auto const among = [](auto const& texts, std::string_view text) {
        return std::ranges::find(texts, text) != std::ranges::end(texts);
    };
    if (among(unknown, tag) || tag == end) { return true; }
    return std::ranges::any_of(meanings, [&](auto const& same) {
        return among(same, tag) && (among(same, end) || among(unknown, end));
    });
}

struct RecordRead {
    Reading reading;
    std::string_view result;  // of a good one, as it stands at its end
};

// Reads the record that begins at `words`, the start of a line. `start_of` gives the start for its tags, a
// pointer, or null where it cannot. `on_ply` is called with the moves, those of an unsupported record as
// well. Behind a good record, `words` stand at the next one.
template <class StartOf, class OnPly>
RecordRead replay_record(Words& words, bool is_file_end, StartOf&& start_of, OnPly&& on_ply) {
    constexpr std::size_t longest = 1 << 14;  // bytes; the PDN reader may split longer ones elsewhere
    auto const begin = words.at();
    auto const read = [&]() -> std::string_view {
        RecordTags tags;
        if (!words.read_tags(tags) || words.spent()) { return {}; }
        RecordStart const* const start = start_of(tags);
        if (start == nullptr) { return {}; }
        auto const result = RecordReplay{*start, on_ply}.play(words);
        bool const is_good = !result.empty() && results_agree(tags.result, result) &&
                             words.record_ends(is_file_end) && words.at() - begin <= longest;
        return is_good ? result : std::string_view{};
    };
    auto const result = read();
    if (!result.empty()) { return {Reading::good, result}; }
    return {words.spent() && !is_file_end ? Reading::unfinished : Reading::unsupported, {}};
}

}  // namespace crownhead
