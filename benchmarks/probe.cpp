// What this machine can do: perft of two games written for nothing else, as a ceiling for the kernel.
//
// Three words (own, theirs, kings), a copy for each move, a step as one shift over ghost squares, the colour
// as a template argument, last moves counted by population count, and no list where nothing is taken. It
// knows no table, no routes, no limits and no notation. Usage: probe american|international DEPTH
// bulk|leaves; prints the nodes and the seconds of CPU time.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

namespace {

using Word = std::uint64_t;

struct Board {
    Word own, theirs, kings;
};

// Rows of Half squares, every second one followed by a ghost; bit 0 is square 1.
template <int Half>
struct Layout {
    static constexpr int up[2]{Half + 1, Half};  // to lower bits
    static constexpr int rows = 2 * Half;
    static constexpr int start(int row) { return row * Half + row / 2; }
    static constexpr Word row(int i) { return ((Word{1} << Half) - 1) << start(i); }
    static constexpr Word all = [] {
        Word squares = 0;
        for (int i = 0; i < rows; ++i) { squares |= row(i); }
        return squares;
    }();
};

template <int Half, int D>  // D: 0, 1 up; 2, 3 down
constexpr Word step(Word w) {
    return D < 2 ? w >> Layout<Half>::up[D] : w << Layout<Half>::up[3 - D];
}

template <int Half, int D>
constexpr Word slide(Word from, Word through) {
    Word reached = 0;
    for (Word at = step<Half, D>(from) & through; at != 0; at = step<Half, D>(at) & through) {
        reached |= at;
    }
    return reached;
}

struct Taking {
    Word origin, target, taken;
};

struct List {
    Taking items[128];
    unsigned size = 0;
};

// American: men and short kings, any capture. International: flying kings, men take backward, most pieces.
template <int Half, bool Flying, bool Bulk>
class Perft {
    using L = Layout<Half>;

  public:
    template <bool Up>
    [[gnu::noinline]] Word count(Board b, int depth) {
        if (depth == 0) { return 1; }
        Word const empty = L::all & ~(b.own | b.theirs);
        Word const takers = can_take<Up>(b, empty);
        if (takers != 0) [[unlikely]] { return captures<Up>(b, takers, depth); }
        constexpr Word far = L::row(Up ? 0 : L::rows - 1);
        Word nodes = 0;
        auto const men = [&]<int D>() {
            Word targets = step<Half, D>(b.own & ~b.kings) & empty;
            if (Bulk && depth == 1) {
                nodes += static_cast<Word>(std::popcount(targets));
                return;
            }
            for (; targets != 0; targets &= targets - 1) {
                Word const to = targets & (0 - targets);
                Word const from = step<Half, 3 - D>(to);
                nodes += next<Up>({b.theirs, b.own ^ from ^ to, b.kings | (to & far)}, depth);
            }
        };
        men.template operator()<Up ? 0 : 2>();
        men.template operator()<Up ? 1 : 3>();
        if (b.own & b.kings) {
            kings<0>(b, empty, depth, nodes, Up);
            kings<1>(b, empty, depth, nodes, Up);
            kings<2>(b, empty, depth, nodes, Up);
            kings<3>(b, empty, depth, nodes, Up);
        }
        return nodes;
    }

  private:
    template <bool Up>
    Word next(Board b, int depth) {
        return count<!Up>(b, depth - 1);
    }

    template <int D>
    void kings(Board const& b, Word empty, int depth, Word& nodes, bool up) {
        for (Word kings = b.own & b.kings; kings != 0; kings &= kings - 1) {
            Word const from = kings & (0 - kings);
            Word targets = Flying ? slide<Half, D>(from, empty) : step<Half, D>(from) & empty;
            if (Bulk && depth == 1) {
                nodes += static_cast<Word>(std::popcount(targets));
                continue;
            }
            for (; targets != 0; targets &= targets - 1) {
                Word const to = targets & (0 - targets);
                Board const after{b.theirs, b.own ^ from ^ to, b.kings ^ from ^ to};
                nodes += up ? next<true>(after, depth) : next<false>(after, depth);
            }
        }
    }

    // Squares from which a piece of `from` could take in direction D.
    template <int D>
    static Word before(Word from, Word prey, Word empty, bool flies) {
        Word at = step<Half, 3 - D>(step<Half, 3 - D>(empty) & prey);
        if (flies) {
            at |= slide<Half, 3 - D>(at & empty, empty) | step<Half, 3 - D>(at & empty) |
                  step<Half, 3 - D>(slide<Half, 3 - D>(at & empty, empty));
        }
        return at & from;
    }

    template <bool Up>
    static Word can_take(Board const& b, Word empty) {
        Word const men = b.own & ~b.kings;
        Word found = before < Up                                       ? 0
                     : 2 > (men, b.theirs, empty, false) | before < Up ? 1
                                                                       : 3 > (men, b.theirs, empty, false);
        if (Flying) {
            found |= before < Up                                       ? 2
                     : 0 > (men, b.theirs, empty, false) | before < Up ? 3
                                                                       : 1 > (men, b.theirs, empty, false);
        }
        if (Word const kings = b.own & b.kings) {
            found |= before<0>(kings, b.theirs, empty, Flying) | before<1>(kings, b.theirs, empty, Flying) |
                     before<2>(kings, b.theirs, empty, Flying) | before<3>(kings, b.theirs, empty, Flying);
        }
        return found;
    }

    template <bool Up>
    [[gnu::noinline]] Word captures(Board const& b, Word takers, int depth) {
        List best;
        for (; takers != 0; takers &= takers - 1) {
            Word const from = takers & (0 - takers);
            Word const empty = (L::all & ~(b.own | b.theirs)) | from;
            search<Up>(b, {from, from, 0}, empty, (b.kings & from) != 0, best);
        }
        if (Bulk && depth == 1) { return best.size; }
        constexpr Word far = L::row(Up ? 0 : L::rows - 1);
        Word nodes = 0;
        for (unsigned i = 0; i < best.size; ++i) {
            auto const& t = best.items[i];
            bool const king = (b.kings & t.origin) != 0 || (t.target & far) != 0;
            Word const kings = (b.kings & ~(t.origin | t.taken)) | (king ? t.target : 0);
            nodes += next<Up>({b.theirs & ~t.taken, (b.own & ~t.origin) | t.target, kings}, depth);
        }
        return nodes;
    }

    template <bool Up>
    void search(Board const& b, Taking t, Word empty, bool king, List& best) {
        constexpr Word far = L::row(Up ? 0 : L::rows - 1);
        bool const stops = !Flying && !king && t.taken != 0 && (t.target & far) != 0;
        bool went_on = false;
        if (!stops) {
            went_on |= jump<Up, 0>(b, t, empty, king, best);
            went_on |= jump<Up, 1>(b, t, empty, king, best);
            went_on |= jump<Up, 2>(b, t, empty, king, best);
            went_on |= jump<Up, 3>(b, t, empty, king, best);
        }
        if (!went_on && t.taken != 0) { keep(t, best); }
    }

    template <bool Up, int D>
    bool jump(Board const& b, Taking t, Word empty, bool king, List& best) {
        if (!king && !Flying && (D < 2) != Up) { return false; }
        Word const ray = Flying && king ? t.target | slide<Half, D>(t.target, empty) : t.target;
        Word const prey = step<Half, D>(ray) & b.theirs & ~t.taken;
        Word lands = step<Half, D>(prey) & empty;
        if (Flying && king) { lands |= slide<Half, D>(lands, empty); }
        bool const found = lands != 0;
        for (; lands != 0; lands &= lands - 1) {
            search<Up>(b, {t.origin, lands & (0 - lands), t.taken | prey}, empty, king, best);
        }
        return found;
    }

    static void keep(Taking const& t, List& best) {
        if (Flying && best.size != 0) {
            int const longer = std::popcount(t.taken) - std::popcount(best.items[0].taken);
            if (longer < 0) { return; }
            if (longer > 0) { best.size = 0; }
        }
        for (unsigned i = 0; i < best.size; ++i) {
            if (std::memcmp(&best.items[i], &t, sizeof t) == 0) { return; }
        }
        best.items[best.size++] = t;
    }
};

template <int Half, bool Flying, bool Bulk>
void measure(int men_rows, bool up, int depth) {
    using L = Layout<Half>;
    Board board{0, 0, 0};
    for (int i = 0; i < men_rows; ++i) {
        (up ? board.theirs : board.own) |= L::row(i);
        (up ? board.own : board.theirs) |= L::row(L::rows - 1 - i);
    }
    Perft<Half, Flying, Bulk> perft;
    std::clock_t const before = std::clock();
    Word const nodes =
        up ? perft.template count<true>(board, depth) : perft.template count<false>(board, depth);
    double const seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    std::printf("%llu %.6f\n", static_cast<unsigned long long>(nodes), seconds);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fputs("usage: probe american|international DEPTH bulk|leaves\n", stderr);
        return 2;
    }
    bool const american = std::string_view{argv[1]} == "american";
    bool const bulk = std::string_view{argv[3]} == "bulk";
    int const depth = std::atoi(argv[2]);
    if (american) {
        bulk ? measure<4, false, true>(3, false, depth) : measure<4, false, false>(3, false, depth);
    } else {
        bulk ? measure<5, true, true>(4, true, depth) : measure<5, true, false>(4, true, depth);
    }
}
