// The laws as the page asks for them. A position is at the beginning of the buffer, and the answer takes its
// place.
#include "crownhead/arrangement.hpp"
#include "module.hpp"

namespace crownhead::wasm {
namespace {

State asked() {
    buffer().resize(std::max(buffer().size(), size_of_position()));
    return read_position(buffer().data());
}

// Moves in the buffer: origin, target, whether it crowns, how many pieces it takes, how many squares its path
// has, the squares of the pieces in the order taken, those of the path.
class Writer {
  public:
    void operator()(Ply const& ply) {
        auto& bytes = buffer();
        auto const size = 5 + ply.captures.size() + ply.path.size();
        if (bytes.size() < size_ + size) { bytes.resize(2 * (size_ + size)); }
        put(ply.origin);
        put(ply.target);
        put(ply.crowns ? 1 : 0);
        put(static_cast<std::uint8_t>(ply.captures.size()));
        put(static_cast<std::uint8_t>(ply.path.size()));
        for (auto const square : ply.captures) { put(square); }
        for (auto const square : ply.path) { put(square); }
    }
    int size() const { return static_cast<int>(size_); }

  private:
    void put(std::uint8_t byte) { buffer()[size_++] = byte; }

    std::size_t size_ = 0;
};

constexpr int too_many_captures = -1;

}  // namespace

// The start of the variant.
CROWNHEAD_EXPORT(start) void crownhead_start() {
    auto const& row = played().row;
    State state{};
    state.turn = row.first;
    auto const all = [&](std::vector<std::uint8_t> const& squares, Colour colour) {
        for (auto const number : squares) {
            bool const marked = std::ranges::find(row.marked, number) != row.marked.end();
            place(*played().laws, state, colour, marked ? Kind::marked : Kind::man, number);
        }
    };
    all(row.black, Colour::black);
    all(row.white, Colour::white);
    buffer().resize(std::max(buffer().size(), size_of_position()));
    write_position(state, buffer().data());
}

// The length of the legal moves, ascending by path, or -1: there are too many routes of captures.
CROWNHEAD_EXPORT(legal_moves) int crownhead_legal_moves() {
    auto const state = asked();
    Writer writer;
    auto const verdict = played().laws->legal_moves(state, PlyVisitor{writer}, Budget{});
    return verdict == Verdict::too_many_captures ? too_many_captures : writer.size();
}

// The same of the moves from the first of so many squares, which lie behind the position, to the last, over
// those between.
CROWNHEAD_EXPORT(find) int crownhead_find(std::size_t squares) {
    auto const state = asked();
    auto const size = size_of_position();
    std::vector<std::uint8_t> const named(buffer().begin() + static_cast<std::ptrdiff_t>(size),
                                          buffer().begin() + static_cast<std::ptrdiff_t>(size + squares));
    auto const off = [](int number) { return number < 1 || number > played().laws->squares(); };
    if (named.size() < 2 || std::ranges::any_of(named, off)) { return 0; }
    Writer writer;
    auto const verdict = played().laws->find(state, named, PlyVisitor{writer}, Budget{});
    return verdict == Verdict::too_many_captures ? too_many_captures : writer.size();
}

// Plays the move behind the position: origin, target, whether it crowns, how many pieces it takes, their
// squares. 1: the next position is in the buffer; 0: the move is not legal; -1 as above.
CROWNHEAD_EXPORT(play) int crownhead_play() {
    auto const state = asked();
    auto const size = size_of_position();
    buffer().resize(std::max(buffer().size(), size + 4 + 128));
    auto const* const move = buffer().data() + size;
    Ply const ply{
        move[0], move[1], move[2] != 0, std::span{move + 4, std::min<std::size_t>(move[3], 128)}, {}};
    State next{};
    auto const verdict = played().laws->play(state, ply, next, Budget{});
    if (verdict != Verdict::done) { return verdict == Verdict::illegal ? 0 : too_many_captures; }
    write_position(next, buffer().data());
    return 1;
}

// How the position ends the game: 0 not at all, else the place of the cause in `Cause`, and 8 more where
// Black wins.
CROWNHEAD_EXPORT(ending) int crownhead_ending() {
    auto const state = asked();
    auto decision = played().laws->ending(state);
    if (decision.cause == Cause::none) { return 0; }
    bool const bare = decision.cause == Cause::no_pieces || decision.cause == Cause::no_moves;
    if (bare && played().stuck_wins()) { decision.mover_wins = true; }
    bool const black_wins = decision.mover_wins == (state.turn == Colour::black);
    return static_cast<int>(decision.cause) + (black_wins ? 8 : 0);
}

// Sequences of moves; -1 as above.
CROWNHEAD_EXPORT(perft) double crownhead_perft(int depth, int bulk) {
    auto const count = played().laws->perft(asked(), depth, bulk != 0, Patience{});
    return count.halt == Halt::none ? static_cast<double>(count.nodes) : -1;
}

// The counts of the draw rules at the end of a game of so many plies, as numbers: the position at its
// beginning, then for each ply what it does (1 it takes, 2 it is a man's, 4 it crowns) and the position that
// it leads to. Returns how many rules there are.
CROWNHEAD_EXPORT(count_draws) int crownhead_count_draws(std::size_t plies) {
    auto const size = size_of_position();
    DrawCounts counts{played().draws, read_position(buffer().data())};
    for (std::size_t ply = 0; ply < plies; ++ply) {
        auto const* const at = buffer().data() + size + ply * (size + 1);
        unsigned const done = at[0];
        counts.push({.captures = (done & DrawProgress::by_capture) != 0,
                     .by_a_man = (done & DrawProgress::by_man) != 0,
                     .crowns = (done & DrawProgress::by_crowning) != 0},
                    read_position(at + 1));
    }
    auto const found = counts.counts();
    if (buffer().size() < 4 * found.size()) { buffer().resize(4 * found.size()); }
    std::memcpy(buffer().data(), found.data(), 4 * found.size());
    return static_cast<int>(found.size());
}

}  // namespace crownhead::wasm
