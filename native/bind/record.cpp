// crownhead._kernel.replay_records and read_records: games, replayed where they stand in the text of a file.
#include "crownhead/record.hpp"

#include <nanobind/stl/string_view.h>

#include <map>
#include <string>
#include <utility>

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
                "expected the names of the squares, a1 to p31, in the order of their numbers");
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

    // The last answer.
    nb::object const& position() const { return position_; }

  private:
    static bool is_ascii(std::string_view text) {
        return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    }

    bool ask() {
        nb::object const answer = ask_(game_type_, variant_, fen_);
        if (answer.is_none()) { return false; }
        auto const& position = nb::cast<PositionObject const&>(answer[0]);
        auto [known, is_new] = known_.try_emplace(&*position.variant, Known{position.variant, {}});
        auto& names = known->second.names;
        if (is_new) { names = read_names(answer[1], position.laws().squares()); }
        start_ = {position.state, &position.laws(), &names, capture_budget()};
        position_ = answer[0];
        return true;
    }

    struct Known {
        VariantRef variant;  // kept alive, so that no other lies where it does
        SquareNames names;
    };

    nb::callable const& ask_;
    std::string_view game_type_;
    std::string_view variant_;
    std::string_view fen_;
    bool is_asked_ = false;
    bool is_known_ = false;
    RecordStart start_{};
    nb::object position_;
    std::map<Variant const*, Known> known_;
};

// Walks over the records of a text up to the first that is not good. `on_good` is called with each good one
// and returns whether to go on.
template <class OnPly, class OnGood>
nb::tuple walk(nb::bytes const& text, std::size_t at, bool is_file_end, Starts& starts, OnPly&& on_ply,
               OnGood&& on_good) {
    Words words{{text.c_str(), text.size()}, std::min(at, text.size())};
    at = words.at();
    auto reading = Reading::good;
    for (bool goes_on = true; goes_on && !words.spent();) {
        auto const read = replay_record(words, is_file_end, starts, on_ply);
        reading = read.reading;
        if (reading != Reading::good) { break; }
        goes_on = on_good(at, read.result);
        at = words.at();
    }
    return nb::make_tuple(at, reading == Reading::unfinished);
}

nb::tuple replay_records(nb::bytes const& text, std::size_t at, bool is_file_end, nb::callable const& start) {
    Starts starts{start};
    std::size_t games = 0;
    std::size_t plies = 0;
    std::size_t played = 0;  // in the current record
    auto const count = [&](Ply const&, State const&) { ++played; };
    auto const add = [&](std::size_t, std::string_view) {
        ++games;
        plies += std::exchange(played, 0);
        return true;
    };
    auto const walked = walk(text, at, is_file_end, starts, count, add);
    return nb::make_tuple(walked[0], games, plies, walked[1]);
}

// A tuple of the objects, which are none afterwards.
nb::tuple moved_to_tuple(std::vector<nb::object>& objects) {
    auto tuple = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(objects.size())));
    if (!tuple.is_valid()) { throw nb::python_error(); }
    Py_ssize_t i = 0;
    for (auto& object : objects) { put(tuple, i++, object.release().ptr()); }
    objects.clear();
    return tuple;
}

nb::tuple read_records(nb::bytes const& text, std::size_t at, bool is_file_end, nb::callable const& start,
                       std::size_t most) {
    Starts starts{start};
    nb::list games;
    std::vector<nb::object> moves;
    std::vector<nb::object> positions;
    nb::handle const move_type = nb::type<MoveObject>();
    auto const note = [&](Ply const& ply, State const& state) {
        auto const& origin = starts.position();
        auto const& variant = nb::inst_ptr<PositionObject>(origin)->variant;
        moves.push_back(make_instance(move_type, MoveObject{ply}));
        positions.push_back(make_instance(origin.type(), PositionObject{state, variant}));
    };
    auto const add = [&](std::size_t begin, std::string_view result) {
        games.append(nb::make_tuple(begin, result, starts.position(), moved_to_tuple(moves),
                                    moved_to_tuple(positions)));
        return games.size() < most;
    };
    auto const walked = walk(text, at, is_file_end, starts, note, add);
    return nb::make_tuple(walked[0], games, walked[1]);
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
        "plain PDN without errors or warnings. `start` gives, for the tags GameType, Variant and FEN, the "
        "position and the algebraic names of the squares by number, or None where a record is not to be "
        "replayed here. Returns the index behind the records replayed, the number of games and plies, and "
        "whether the text ends within the next one.");
    module.def(
        "read_records", &read_records, nb::arg("text"), nb::arg("at"), nb::arg("is_file_end"),
        nb::arg("start"), nb::arg("most"),
        nb::sig("def read_records(text: bytes, at: int, is_file_end: bool, start: "
                "collections.abc.Callable[[str, str, str], tuple[Position, collections.abc.Sequence[str]] | "
                "None], most: int) -> tuple[int, list[tuple[int, str, Position, tuple[Move, ...], "
                "tuple[Position, ...]]], bool]"),
        "As `replay_records`, but stop behind `most` games and return them in place of their number: where "
        "each begins, the result at its end, its start, its moves, and the positions that they lead to.");
}

}  // namespace crownhead::bind
