// A ceiling for the kernel: perft of two games, written apart from it and for nothing else.
//
// Three words a position, a copy for each move, each step one shift over ghost squares, the colour a template
// argument, last moves counted by population count. No routes, no limits, no notation, no other variant; of
// captures in American checkers it counts routes, not moves. Usage: ceiling american|international DEPTH
// bulk|leaves; prints the nodes and the seconds of CPU time.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace {

using Word = std::uint64_t;

struct Board {
    Word white, black, kings;
};

template <int Distance>
Word shift(Word set) {
    return Distance > 0 ? set << (Distance & 63) : set >> (-Distance & 63);
}

Word lowest(Word set) { return set & (0 - set); }

int count(Word set) { return std::popcount(set); }

// `columns` squares a row, a ghost behind every second row; bit 0 is square 1, White moves to lower bits.
template <int Columns>
struct Layout {
    static constexpr int rows = 2 * Columns;
    static constexpr Word row(int row) {
        Word set = 0;
        for (int square = Columns * row; square < Columns * (row + 1); ++square) {
            set |= Word{1} << (square + square / rows);
        }
        return set;
    }
    static constexpr Word squares = [] {
        Word set = 0;
        for (int i = 0; i < rows; ++i) { set |= row(i); }
        return set;
    }();
};

template <int A, int B, class Visit>
void both(Visit&& visit) {
    visit.template operator()<A>();
    visit.template operator()<B>();
}

// ---------------------------------------------------------------------------------- American checkers
namespace american {

using Squares = Layout<4>;

template <bool White>
constexpr int left = White ? -4 : 4;
template <bool White>
constexpr int right = White ? -5 : 5;

template <bool White>
Word jumpers(Word own, Word theirs, Word kings, Word empty) {
    Word men = 0;
    both<left<White>, right<White>>([&]<int D>() { men |= shift<-D>(shift<-D>(empty) & theirs); });
    Word found = men & own;
    if (Word const own_kings = own & kings) {
        both<left<White>, right<White>>(
            [&]<int D>() { found |= shift<D>(shift<D>(empty) & theirs) & own_kings; });
    }
    return found;
}

template <bool White, bool King, class Visit>
void each_jump(Word from, Word theirs, Word empty, Visit&& visit) {
    auto const jump = [&]<int D>() {
        Word const taken = shift<D>(from) & theirs;
        Word const target = shift<D>(taken) & empty;
        if (target != 0) { visit(target, taken); }
    };
    both<left<White>, right<White>>(jump);
    if constexpr (King) { both<-left<White>, -right<White>>(jump); }
}

template <bool White, bool King>
Word count_routes(Word from, Word theirs, Word empty) {
    Word routes = 0;
    each_jump<White, King>(from, theirs, empty, [&](Word target, Word taken) {
        routes += count_routes<White, King>(target, theirs ^ taken, empty);
    });
    return routes != 0 ? routes : 1;
}

template <bool White, bool King, class Visit>
void each_route(Word from, Word theirs, Word empty, Visit&& visit) {
    bool goes_on = false;
    each_jump<White, King>(from, theirs, empty, [&](Word target, Word taken) {
        goes_on = true;
        each_route<White, King>(target, theirs ^ taken, empty, visit);
    });
    if (!goes_on) { visit(from, theirs); }
}

template <bool White>
Word count_moves(Board const& board) {
    Word const own = White ? board.white : board.black;
    Word const theirs = White ? board.black : board.white;
    Word const empty = Squares::squares & ~(own | theirs);
    Word const jumping = jumpers<White>(own, theirs, board.kings, empty);
    Word moves = 0;
    if (jumping != 0) {
        for (Word men = jumping & ~board.kings; men != 0; men &= men - 1) {
            moves += count_routes<White, false>(lowest(men), theirs, empty);
        }
        for (Word kings = jumping & board.kings; kings != 0; kings &= kings - 1) {
            moves += count_routes<White, true>(lowest(kings), theirs, empty | lowest(kings));
        }
        return moves;
    }
    auto const steps = [&]<int D>(Word pieces) { return static_cast<Word>(count(shift<D>(pieces) & empty)); };
    moves = steps.template operator()<left<White>>(own) + steps.template operator()<right<White>>(own);
    if (Word const kings = own & board.kings) {
        moves += steps.template operator()<-left<White>>(kings);
        moves += steps.template operator()<-right<White>>(kings);
    }
    return moves;
}

template <bool White, bool Bulk>
Word perft(Board const& board, int depth) {
    if (Bulk && depth == 1) { return count_moves<White>(board); }
    if (depth == 0) { return 1; }
    Word const own = White ? board.white : board.black;
    Word const theirs = White ? board.black : board.white;
    Word const empty = Squares::squares & ~(own | theirs);
    constexpr Word crown_row = Squares::row(White ? 0 : 7);
    Word nodes = 0;
    auto const play = [&](Word mine, Word others, Word kings) {
        Board const next = White ? Board{mine, others, kings} : Board{others, mine, kings};
        nodes += perft<!White, Bulk>(next, depth - 1);
    };
    if (Word const jumping = jumpers<White>(own, theirs, board.kings, empty)) {
        for (Word men = jumping & ~board.kings; men != 0; men &= men - 1) {
            Word const from = lowest(men);
            each_route<White, false>(from, theirs, empty, [&](Word target, Word left_over) {
                Word const kings = (board.kings & (left_over | own)) | (target & crown_row);
                play((own ^ from) | target, left_over, kings);
            });
        }
        for (Word rest = jumping & board.kings; rest != 0; rest &= rest - 1) {
            Word const from = lowest(rest);
            each_route<White, true>(from, theirs, empty | from, [&](Word target, Word left_over) {
                Word const kings = ((board.kings & (left_over | own)) ^ from) | target;
                play((own ^ from) | target, left_over, kings);
            });
        }
        return nodes;
    }
    both<left<White>, right<White>>([&]<int D>() {
        for (Word targets = shift<D>(own & ~board.kings) & empty; targets != 0; targets &= targets - 1) {
            Word const target = lowest(targets);
            play(own ^ target ^ shift<-D>(target), theirs, board.kings | (target & crown_row));
        }
    });
    if (Word const kings = own & board.kings) {
        auto const step = [&]<int D>() {
            for (Word targets = shift<D>(kings) & empty; targets != 0; targets &= targets - 1) {
                Word const moved = lowest(targets) ^ shift<-D>(lowest(targets));
                play(own ^ moved, theirs, board.kings ^ moved);
            }
        };
        both<4, 5>(step);
        both<-4, -5>(step);
    }
    return nodes;
}

}  // namespace american

// ---------------------------------------------------------------------------- international draughts
namespace international {

using Squares = Layout<5>;

template <class Visit>
void each_direction(Visit&& visit) {
    both<5, 6>(visit);
    both<-5, -6>(visit);
}

template <int D>
Word ray(Word from, Word empty) {
    Word reached = 0;
    for (Word at = shift<D>(from) & empty; at != 0; at = shift<D>(at) & empty) { reached |= at; }
    return reached;
}

// The first square in direction D that is not empty; none beyond the edge.
template <int D>
Word beyond(Word from, Word empty) {
    Word at = shift<D>(from);
    while ((at & empty) != 0) { at = shift<D>(at); }
    return at;
}

Word jumping_men(Word men, Word theirs, Word empty) {
    Word found = 0;
    each_direction([&]<int D>() { found |= shift<-D>(shift<-D>(empty) & theirs); });
    return found & men;
}

bool king_jumps(Word from, Word theirs, Word empty) {
    bool found = false;
    each_direction([&]<int D>() {
        if (!found) { found = (shift<D>(beyond<D>(from, empty) & theirs) & empty) != 0; }
    });
    return found;
}

struct Capture {
    Word moved, taken, from;  // moved: origin and target, nothing if they are the same
};

struct Longest {
    int taken = 0;
    int size = 0;
    Capture items[128];

    void add(Word from, Word target, Word pieces) {
        int const here = count(pieces);
        if (here < taken) { return; }
        if (here > taken) {
            taken = here;
            size = 0;
        } else if (here >= 4) {
            for (int i = 0; i < size; ++i) {
                Capture const& other = items[i];
                if (other.taken == pieces && other.moved == (from ^ target) && other.from == from) { return; }
            }
        }
        items[size++] = {from ^ target, pieces, from};
    }
};

void man_routes(Longest& best, Word from, Word at, Word theirs, Word empty, Word taken) {
    bool goes_on = false;
    each_direction([&]<int D>() {
        Word const prey = shift<D>(at) & theirs;
        Word const target = shift<D>(prey) & empty;
        if (target == 0) { return; }
        goes_on = true;
        man_routes(best, from, target, theirs ^ prey, empty, taken | prey);
    });
    if (!goes_on) { best.add(from, at, taken); }
}

// `last`: the direction of the last capture; straight on, only the first square behind it goes on.
void king_routes(Longest& best, Word from, Word at, Word theirs, Word empty, Word taken, int last,
                 bool first) {
    each_direction([&]<int D>() {
        if (D == -last || (D == last && !first)) { return; }
        Word const prey = beyond<D>(at, empty) & theirs;
        bool nearest = true;
        for (Word target = shift<D>(prey) & empty; target != 0; target = shift<D>(target) & empty) {
            king_routes(best, from, target, theirs ^ prey, empty, taken | prey, D, nearest);
            nearest = false;
        }
    });
    if (taken != 0) { best.add(from, at, taken); }
}

template <bool White, bool Bulk>
Word perft(Board const& board, int depth) {
    if (!Bulk && depth == 0) { return 1; }
    Word const own = White ? board.white : board.black;
    Word const theirs = White ? board.black : board.white;
    Word const empty = Squares::squares & ~(own | theirs);
    Word const men = own & ~board.kings;
    Word const kings = own & board.kings;
    constexpr Word crown_row = Squares::row(White ? 0 : 9);
    Word nodes = 0;
    auto const play = [&](Word mine, Word others, Word crowned) {
        Board const next = White ? Board{mine, others, crowned} : Board{others, mine, crowned};
        nodes += perft<!White, Bulk>(next, depth - 1);
    };
    Word const jumping = jumping_men(men, theirs, empty);
    bool kings_jump = false;
    for (Word rest = kings; rest != 0; rest &= rest - 1) {
        kings_jump |= king_jumps(lowest(rest), theirs, empty);
    }
    if (jumping != 0 || kings_jump) {
        Longest best;
        for (Word rest = jumping; rest != 0; rest &= rest - 1) {
            Word const from = lowest(rest);
            man_routes(best, from, from, theirs, empty | from, 0);
        }
        for (Word rest = kings_jump ? kings : 0; rest != 0; rest &= rest - 1) {
            Word const from = lowest(rest);
            if (king_jumps(from, theirs, empty)) {
                king_routes(best, from, from, theirs, empty | from, 0, 0, true);
            }
        }
        if (Bulk && depth == 1) { return static_cast<Word>(best.size); }
        for (int i = 0; i < best.size; ++i) {
            Capture const& capture = best.items[i];
            Word const left_over = board.kings & ~capture.taken;
            Word const target = capture.moved != 0 ? capture.moved ^ capture.from : capture.from;
            bool const king = (capture.from & board.kings) != 0;
            play(own ^ capture.moved, theirs & ~capture.taken,
                 king ? left_over ^ capture.moved : left_over | (target & crown_row));
        }
        return nodes;
    }
    constexpr int left = White ? -5 : 5;
    constexpr int right = White ? -6 : 6;
    if (Bulk && depth == 1) {
        nodes = static_cast<Word>(count(shift<left>(men) & empty) + count(shift<right>(men) & empty));
        for (Word rest = kings; rest != 0; rest &= rest - 1) {
            each_direction([&]<int D>() { nodes += static_cast<Word>(count(ray<D>(lowest(rest), empty))); });
        }
        return nodes;
    }
    both<left, right>([&]<int D>() {
        for (Word targets = shift<D>(men) & empty; targets != 0; targets &= targets - 1) {
            Word const target = lowest(targets);
            play(own ^ target ^ shift<-D>(target), theirs, board.kings | (target & crown_row));
        }
    });
    for (Word rest = kings; rest != 0; rest &= rest - 1) {
        Word const from = lowest(rest);
        each_direction([&]<int D>() {
            for (Word target = shift<D>(from) & empty; target != 0; target = shift<D>(target) & empty) {
                play(own ^ target ^ from, theirs, board.kings ^ target ^ from);
            }
        });
    }
    return nodes;
}

}  // namespace international

template <class Squares>
Board start(int rows) {
    Board board{};
    for (int i = 0; i < rows; ++i) {
        board.black |= Squares::row(i);
        board.white |= Squares::row(Squares::rows - 1 - i);
    }
    return board;
}

Word run(bool is_american, bool bulk, int depth) {
    if (is_american) {
        auto const board = start<american::Squares>(3);
        return bulk ? american::perft<false, true>(board, depth)
                    : american::perft<false, false>(board, depth);
    }
    auto const board = start<international::Squares>(4);
    return bulk ? international::perft<true, true>(board, depth)
                : international::perft<true, false>(board, depth);
}

}  // namespace

int main(int count, char** words) {
    if (count != 4) {
        std::fputs("usage: ceiling american|international DEPTH bulk|leaves\n", stderr);
        return 2;
    }
    auto const before = std::clock();
    auto const nodes = run(words[1] == std::string_view{"american"}, words[3] == std::string_view{"bulk"},
                           std::atoi(words[2]));
    auto const seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    std::printf("%llu %.3f\n", static_cast<unsigned long long>(nodes), seconds);
}
