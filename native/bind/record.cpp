// crownhead._kernel.replay_records: records of games, replayed where they stand in the text of a file.
#include "crownhead/record.hpp"

#include <nanobind/stl/string_view.h>

#include <map>
#include <stdexcept>
#include <string>

#include "objects.hpp"

namespace crownhead::bind {
namespace {

SquareNames read_names(nb::handle names, int squares) {
    SquareNames read;
    int number = 0;
    for (auto const item : nb::borrow<nb::object>(names)) {
        auto const name = nb::cast<std::string_view>(item);
        int const file = name.empty() ? -1 : name[0] - 'a';
        int const rank = name.size() > 1 ? std::atoi(std::string{name.substr(1)}.c_str()) : 0;
        if (++number > squares || file < 0 || file >= SquareNames::files || rank < 1 ||
            rank >= SquareNames::ranks) {
            throw nb::value_error(
                "expected the names of the squares, a1 to l31, in the order of their numbers");
        }
        read.name(static_cast<std::uint8_t>(number), file, rank);
    }
    return read;
}

// Asks Python where a record begins, and remembers the answer while the tags say the same.
class Starts {
  public:
    explicit Starts(nb::callable const& ask) : ask_{ask} {}

    RecordStart const* operator()(RecordTags const& tags) {
        bool const same = is_asked_ && tags.fen.empty() && fen_.empty() && tags.game_type == game_type_ &&
                          tags.variant == variant_;
        if (!same) {
            game_type_ = tags.game_type;
            variant_ = tags.variant;
            fen_ = tags.fen;
            is_known_ = is_ascii(game_type_) && is_ascii(variant_) && is_ascii(fen_) && ask();
            is_asked_ = true;
        }
        return is_known_ ? &start_ : nullptr;
    }

  private:
    static bool is_ascii(std::string_view text) {
        return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    }

    bool ask() {
        nb::object const answer = ask_(game_type_, variant_, fen_);
        if (answer.is_none()) { return false; }
        auto const& position = nb::cast<PositionObject const&>(answer[0]);
        auto [names, is_new] = names_.try_emplace(position.variant);
        if (is_new) { names->second = read_names(answer[1], position.laws().squares); }
        start_ = {position.state, &position.laws(), &names->second};
        return true;
    }

    nb::callable const& ask_;
    std::string_view game_type_;
    std::string_view variant_;
    std::string_view fen_;
    bool is_asked_ = false;
    bool is_known_ = false;
    RecordStart start_{};
    std::map<Variant const*, SquareNames> names_;
};

nb::tuple replay_records(nb::bytes const& text, std::size_t at, bool is_file_end, nb::callable const& start) {
    Words words{{text.c_str(), text.size()}, std::min(at, text.size())};
    Starts starts{start};
    std::size_t games = 0;
    std::size_t plies = 0;
    auto reading = Reading::good;
    at = words.at();
    while (reading == Reading::good && !words.spent()) {
        int played = 0;
        reading = replay_record(words, is_file_end, starts, played);
        if (reading == Reading::good) {
            ++games;
            plies += static_cast<std::size_t>(played);
            at = words.at();
        }
    }
    return nb::make_tuple(at, games, plies, reading == Reading::unfinished);
}

}  // namespace

void bind_record(nb::module_& module) {
    module.def(
        "replay_records", &replay_records, nb::arg("text"), nb::arg("at"), nb::arg("is_file_end"),
        nb::arg("start"),
        nb::sig("def replay_records(text: bytes, at: int, is_file_end: bool, start: "
                "collections.abc.Callable[[str, str, str], tuple[Position, collections.abc.Sequence[str]] | "
                "None]) -> tuple[int, int, int, bool]"),
        "Replay the records in `text` from the index `at`, the start of a line, up to the first that is not "
        "plain PDN without any doubt. `start` tells, for the tags GameType, Variant and FEN, the position "
        "and "
        "the algebraic names of the squares by number, or None where a record is not to be replayed here. "
        "Returns the index behind the records replayed, how many games and plies they are, and whether the "
        "text ends within the next one.");
}

}  // namespace crownhead::bind
