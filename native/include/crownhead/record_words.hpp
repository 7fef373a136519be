// The tokens of plain PDN records; a record with anything else is left to the PDN reader.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace crownhead {

// What the squares of a variant are called, a1 … p31.
class SquareNames {
  public:
    static constexpr int files = 16;
    static constexpr int ranks = 32;

    void name(std::uint8_t number, int file, int rank) {
        numbers_[static_cast<std::size_t>(file * ranks + rank)] = number;
        files_[number] = static_cast<std::uint8_t>(file);
    }
    // 0: there is no such square.
    std::uint8_t number(int file, int rank) const {
        return rank < ranks ? numbers_[static_cast<std::size_t>(file * ranks + rank)] : std::uint8_t{0};
    }
    int file(std::uint8_t number) const { return files_[number]; }

  private:
    std::array<std::uint8_t, static_cast<std::size_t>(files) * ranks> numbers_{};  // from a0
    std::array<std::uint8_t, 256> files_{};
};

// The tags that bear on how a record is replayed; empty where it has none.
struct RecordTags {
    std::string_view game_type;
    std::string_view variant;
    std::string_view fen;
    std::string_view result;
};

struct Word {
    enum class Kind : std::uint8_t { move, short_move, number, remark, result, other };

    Kind kind = Kind::other;
    std::string_view text{};
};

// Walks over a text. A text may end anywhere, in the middle of a word too: then it is `spent`.
class Words {
  public:
    static constexpr std::size_t most_squares = 40;

    Words(std::string_view text, std::size_t at) : text_{text}, at_{at} {}

    std::size_t at() const { return at_; }
    bool spent() const { return at_ == text_.size(); }

    // The squares that the last move names. A short one, `gf4`, has the target alone, and the file of origin.
    std::span<std::uint8_t const> squares() const { return std::span{squares_}.first(count_); }
    int file() const { return file_; }

    // Tags, each on a line of its own. False: there is something that is no plain tag.
    bool read_tags(RecordTags& tags);
    Word next(SquareNames const& names);
    // Whether nothing but the next record's first tag, on a new line, or the end of the file follows.
    bool record_ends(bool is_file_end);

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
    static bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }
    static bool is_joint(char c) { return c == '-' || c == 'x' || c == ':' || c == 'X'; }
    static bool is_file(char c) { return (c >= 'a' && c <= 'p') || (c >= 'A' && c <= 'P'); }
    static int file_of(char c) { return (c | 0x20) - 'a'; }

    char peek() const { return spent() ? '\0' : text_[at_]; }
    void skip_blanks() {
        while (is_blank(peek())) { ++at_; }
    }
    Word nothing_more() {
        at_ = text_.size();
        return {};
    }

    bool read_tag(RecordTags& tags);
    Word figures();
    Word half();
    Word dots(std::size_t begin);
    Word letters(SquareNames const& names);
    Word short_move(SquareNames const& names);
    Word comment();
    Word bracket();
    bool read_number();
    bool read_name(SquareNames const& names);
    bool add(int number);
    Word moved() const {
        return {is_letter(peek()) || is_digit(peek()) ? Word::Kind::other : Word::Kind::move};
    }

    std::string_view text_;
    std::size_t at_;
    std::array<std::uint8_t, most_squares> squares_{};
    std::size_t count_ = 0;
    int file_ = 0;
};

// ------------------------------------------------------------------------------------------- tags
inline bool Words::read_tags(RecordTags& tags) {
    for (skip_blanks(); peek() == '['; skip_blanks()) {
        if (at_ > 0 && text_[at_ - 1] != '\n') { return false; }
        if (!read_tag(tags)) { return false; }
    }
    return true;
}

inline bool Words::read_tag(RecordTags& tags) {
    auto const end = std::min(text_.find('\n', at_), text_.size());
    auto line = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
    auto const stop = line.find_first_of(" \t");
    auto const last = line.find_last_not_of(" \t\r");
    if (stop == line.npos || last == line.npos || line[last] != ']' || !is_capital(line[0])) { return false; }
    auto const name = line.substr(0, stop);
    auto const is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
    auto const open = line.find('"', stop);
    auto const close = line.find('"', open == line.npos ? open : open + 1);
    if (!std::ranges::all_of(name, is_part) || close == line.npos || line.find('\\') != line.npos ||
        line.find_first_not_of(" \t", stop) != open || line.find_first_not_of(" \t", close + 1) != last) {
        return false;
    }
    auto const keep = [&](std::string_view which, std::string_view& value) {
        if (name == which && value.data() == nullptr) { value = line.substr(open + 1, close - open - 1); }
    };
    keep("GameType", tags.game_type);
    keep("Variant", tags.variant);
    keep("FEN", tags.fen);
    keep("Result", tags.result);
    return true;
}

inline bool Words::record_ends(bool is_file_end) {
    skip_blanks();
    if (spent()) { return is_file_end; }
    if (text_[at_] != '[' || text_[at_ - 1] != '\n') { return false; }
    if (at_ + 1 == text_.size()) {
        at_ = text_.size();
        return false;
    }
    return is_letter(text_[at_ + 1]);
}

// ------------------------------------------------------------------------------------------- words
inline Word Words::next(SquareNames const& names) {
    skip_blanks();
    char const c = peek();
    count_ = 0;
    if (is_digit(c)) { return figures(); }
    if (is_file(c)) { return letters(names); }
    if (c == '{') { return comment(); }
    if (c == '(') { return bracket(); }
    if (c == '!' || c == '?') {
        while (peek() == '!' || peek() == '?') { ++at_; }
        return {Word::Kind::remark};
    }
    if (c == '$') {
        auto const begin = ++at_;
        while (is_digit(peek())) { ++at_; }
        return {at_ > begin ? Word::Kind::remark : Word::Kind::other};
    }
    if (c == '*') { return {Word::Kind::result, text_.substr(at_++, 1)}; }
    return {};
}

// A move in numbers, a move number, or a result.
inline Word Words::figures() {
    auto const begin = at_;
    bool const is_square = read_number();
    if (peek() == '.') { return dots(begin); }
    if (peek() == '/') {
        at_ = begin;
        return half();
    }
    if (!is_square) { return {}; }
    while (is_joint(peek())) {
        ++at_;
        if (!read_number()) { return {}; }
    }
    auto const word = text_.substr(begin, at_ - begin);
    constexpr std::array<std::string_view, 6> results{"1-0", "0-1", "2-0", "0-2", "1-1", "0-0"};
    if (std::ranges::find(results, word) != results.end()) { return {Word::Kind::result, word}; }
    // `1:1` is a result too, though not of this standard.
    bool const is_move = count_ > 1 && !(count_ == 2 && squares_[0] == squares_[1]);
    return is_move ? moved() : Word{};
}

inline Word Words::half() {
    constexpr std::string_view drawn = "1/2-1/2";
    auto const word = text_.substr(at_, drawn.size());
    if (word == drawn) {
        at_ += drawn.size();
        return {Word::Kind::result, word};
    }
    return drawn.starts_with(word) ? nothing_more() : Word{};
}

// The full stops behind a number. With two of them, no move need follow.
inline Word Words::dots(std::size_t begin) {
    while (peek() == '.' || is_blank(peek())) { ++at_; }
    return {Word::Kind::number, text_.substr(begin, at_ - begin)};
}

// A move with names of squares, joined or not: `c3-d4`, `c3d4`; or a short one, `cd4`.
inline Word Words::letters(SquareNames const& names) {
    if (at_ + 1 < text_.size() && !is_digit(text_[at_ + 1])) { return short_move(names); }
    if (!read_name(names)) { return {}; }
    bool const is_joined = is_joint(peek());
    while (is_joined ? is_joint(peek()) : is_file(peek())) {
        at_ += is_joined ? 1 : 0;
        if (!read_name(names)) { return {}; }
    }
    return count_ > 1 ? moved() : Word{};
}

inline Word Words::short_move(SquareNames const& names) {
    file_ = file_of(text_[at_++]);
    if (peek() == ':' || peek() == 'x' || peek() == 'X') { ++at_; }
    if (!read_name(names) || moved().kind == Word::Kind::other) { return {}; }
    return {Word::Kind::short_move};
}

// A line that begins with a bracket may separate records, even within a comment.
inline Word Words::comment() {
    char line = '{';  // the first character of the line
    for (++at_; !spent(); ++at_) {
        char const c = text_[at_];
        if (c == '}') {
            ++at_;
            return {Word::Kind::remark};
        }
        if (c == '{') { return {}; }
        if (c == '\n') {
            line = '\0';
        } else if (line == '\0' && !is_blank(c)) {
            line = c;
            if (c == '[') { return {}; }
        }
    }
    return {};
}

// Variations, move strengths and comments: skipped up to the closing bracket.
inline Word Words::bracket() {
    int depth = 0;
    while (!spent()) {
        char const c = text_[at_];
        if (c == '{') {
            if (comment().kind == Word::Kind::other) { return {}; }
            continue;
        }
        if (c == '}' || c == '[' || c == '%' || c == ';' || c == '\\') { return {}; }
        ++at_;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0) { return {Word::Kind::remark}; }
    }
    return {};
}

// A number of at most three digits is added to the squares.
inline bool Words::read_number() {
    int number = 0;
    auto const begin = at_;
    for (; is_digit(peek()); ++at_) { number = std::min(number * 10 + (text_[at_] - '0'), 1000); }
    return at_ > begin && at_ - begin <= 3 && add(number);
}

inline bool Words::read_name(SquareNames const& names) {
    if (!is_file(peek())) { return false; }
    int const file = file_of(text_[at_++]);
    int rank = 0;
    auto const begin = at_;
    if (peek() == '0') { return false; }
    for (; is_digit(peek()); ++at_) { rank = std::min(rank * 10 + (text_[at_] - '0'), 1000); }
    return at_ > begin && at_ - begin <= 2 && add(names.number(file, rank));
}

inline bool Words::add(int number) {
    if (number > 255 || count_ == most_squares) { return false; }
    squares_[count_++] = static_cast<std::uint8_t>(number);
    return true;
}

}  // namespace crownhead
