// Records of games: which are replayed, which are left to the PDN reader, and where a text may end.
#include "crownhead/record.hpp"

#include <string>

#include "fen.hpp"
#include "rule_sets.hpp"
#include "testing.hpp"

using namespace crownhead;
using namespace crownhead::testing;

namespace {

Laws const& plain = both_paths<short_kings>().constants();

// American squares as the first mover sees them: 1 is g1, 32 is b8.
SquareNames first_movers_names() {
    SquareNames names;
    for (int number = 1; number <= 32; ++number) {
        int const row = (number - 1) / 4;
        int const column = 2 * ((number - 1) % 4) + (row % 2 == 0 ? 1 : 0);
        names.name(static_cast<std::uint8_t>(number), 7 - column, row + 1);
    }
    return names;
}

struct Found {
    Reading reading;
    std::string_view result;
    std::size_t end;
    int plies;
};

Found replay(std::string_view text, bool is_file_end = true, std::string_view fen = "B:W21-32:B1-12") {
    auto const names = first_movers_names();
    RecordStart const start{state_of(plain, fen), &plain, &names};
    Words words{text, 0};
    int plies = 0;
    auto const start_of = [&](RecordTags const&) { return &start; };
    auto const count = [&](Ply const&, State const&) { ++plies; };
    auto const read = replay_record(words, is_file_end, start_of, count);
    return {read.reading, read.result, words.at(), plies};
}

bool is_good(std::string_view body) { return replay(body).reading == Reading::good; }

constexpr std::string_view record = "[Event \"x\"]\n[Result \"1-0\"]\n1. 11-15 22-18 2. 15x22 25x18 1-0\n\n";

void a_plain_record_is_replayed_to_its_end() {
    auto const found = replay(record);
    expect(found.reading == Reading::good);
    expect(found.result == "1-0");
    expect_equal(found.plies, 4);
    expect_equal(found.end, record.size());
}

void the_next_record_begins_where_a_tag_opens_a_line() {
    auto const two = std::string{record} + std::string{record};
    auto const found = replay(two, false);
    expect(found.reading == Reading::good);
    expect_equal(found.end, record.size());
    expect(replay("1. 11-15 * 1. 9-13 *").reading == Reading::unsupported);
    expect(replay("1. 11-15 * [Event \"x\"]\n").reading == Reading::unsupported);
}

void a_text_may_end_anywhere_within_a_record() {
    auto const whole = std::string{record} + "[Event";
    for (std::size_t size = 1; size < record.size() + 2; ++size) {
        expect(replay(whole.substr(0, size), false).reading == Reading::unfinished);
    }
    expect(replay(whole, false).reading == Reading::good);
}

void what_is_said_of_moves_is_passed_over() {
    expect(is_good("1. 11-15! {good} 1... 22-18?! $1 (22-17 {or} (24-20) 15-19) 2.15x22(?)25x18 0-1"));
    expect(is_good("11-15 22-18 15:22 25X18*"));
    expect(is_good("1. 11-15 22-18 2. 15x22 25x18 1/2-1/2"));
    expect(is_good("*"));
}

void squares_may_be_called_by_their_names() {
    expect(is_good("1. c3-d4 f6e5 2. D4xF6 g7xe5 *"));
    expect(is_good("1. cd4 fg5 *"));
    expect(is_good("1. cd4 fe5 2. d:f6 ge5 *"));
    expect(!is_good("1. c3-d4 6 *"));
    expect(!is_good("1. c3-c5 *"));
    expect(!is_good("1. c3-d04 *"));
}

void a_capture_may_be_given_in_full_or_by_its_ends() {
    constexpr std::string_view fen = "B:W6,15,32:B1,28";
    for (auto const* text : {"1x10x19 *", "1x19 *", "1-19 *"}) {
        expect(replay(text, true, fen).reading == Reading::good);
    }
    expect(replay("1x10 *", true, fen).reading == Reading::unsupported);
}

void an_ambiguous_capture_is_left_to_others() {
    constexpr std::string_view fen = "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13";
    expect(replay("10x26 *", true, fen).reading == Reading::unsupported);
    expect(replay("10x19x26 *", true, fen).reading == Reading::good);
}

void what_needs_a_warning_is_left_to_the_reader() {
    for (auto const* text : {
             "1. 11-15 22-18",               // no result
             "1. 11-15 22-18 2. *",          // a number without a move
             "1. 11-15 . 22-18 *",           // a stray full stop
             "1. 11-15 22-19 *",             // not legal
             "1. 11-15 - - *",               // an unknown move
             "1. 11-15 {a {b} c} *",         // braces within braces
             "1. 11-15 (22-18 *",            // a bracket that does not close
             "1. 11-15 ; praise\n *",        // line comments
             "1. 11-15 11-15-19-24-99 *",    // no such square
             "1. 1111111111111111111-2 *",   // no such number
             "[Event \"a \\\"b\\\"\"]\n*",   // a quote in a tag
             "[Event \"x\"] 1. 11-15 *",     // a move on the line of a tag
             "[event \"x\"]\n*",             // no name of a tag
             "[Result \"1-0\"]\n11-15 0-1",  // results that disagree
             "11-15 {\n [Event \"x\"]\n} *"  // what may be the next record
         }) {
        expect(replay(text).reading == Reading::unsupported);
    }
}

void a_long_record_is_left_to_others() {
    auto const talk = "{" + std::string(1 << 14, 'x') + "}";
    expect(replay("11-15 " + talk + " *").reading == Reading::unsupported);
}

}  // namespace

int main() {
    return run({
        {"a plain record is replayed to its end", a_plain_record_is_replayed_to_its_end},
        {"the next record begins where a tag opens a line", the_next_record_begins_where_a_tag_opens_a_line},
        {"a text may end anywhere within a record", a_text_may_end_anywhere_within_a_record},
        {"what is said of moves is passed over", what_is_said_of_moves_is_passed_over},
        {"squares may be called by their names", squares_may_be_called_by_their_names},
        {"a capture may be given in full or by its ends", a_capture_may_be_given_in_full_or_by_its_ends},
        {"an ambiguous capture is left to others", an_ambiguous_capture_is_left_to_others},
        {"what needs a warning is left to the reader", what_needs_a_warning_is_left_to_the_reader},
        {"a long record is left to others", a_long_record_is_left_to_others},
    });
}
