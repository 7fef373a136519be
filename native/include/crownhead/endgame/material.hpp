// Material: how many pieces of each kind stand on the board. There is one table for each.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace crownhead::endgame {

inline constexpr int most_pieces = 7;  // of both sides; those of seven, four against three

// The pieces of one side.
struct Force {
    std::uint8_t kings = 0;
    std::uint8_t men = 0;
    std::uint8_t marked = 0;

    friend constexpr auto operator<=>(Force const&, Force const&) = default;
    constexpr int count() const { return kings + men + marked; }
    std::string name() const {
        std::string letters;
        letters.append(kings, 'k').append(men, 'm').append(marked, 'x');
        return letters;
    }
};

// Of a position, as its side to move sees it.
struct Material {
    Force own;
    Force theirs;

    friend constexpr auto operator<=>(Material const&, Material const&) = default;
    constexpr int count() const { return own.count() + theirs.count(); }
    constexpr int men() const { return own.men + theirs.men; }
    constexpr Material turned() const { return {theirs, own}; }
    constexpr bool is_even() const { return own == theirs; }
    // A material and the same with the sides exchanged share a file.
    constexpr Material filed() const { return own < theirs ? turned() : *this; }
    std::string name() const { return own.name().append(1, '-').append(theirs.name()); }

    //       bits  0 … 8   kings, men, marked men of the side to move, 3 bits each
    //       bits  9 … 17  those of the other side
    constexpr std::uint32_t key() const {
        return static_cast<std::uint32_t>(own.kings | own.men << 3 | own.marked << 6 | theirs.kings << 9 |
                                          theirs.men << 12 | theirs.marked << 15);
    }
    static constexpr std::uint32_t keys = 1U << 18;
};

// The kinds of pieces that a rule set has.
struct Kinds {
    bool men = true;
    bool kings = true;
    bool marked = false;
};

// All forces of so many pieces.
inline std::vector<Force> forces(int pieces, Kinds kinds) {
    std::vector<Force> found;
    for (int kings = 0; kings <= (kinds.kings ? pieces : 0); ++kings) {
        for (int marked = 0; marked <= (kinds.marked ? pieces - kings : 0); ++marked) {
            if (!kinds.men && kings < pieces) { continue; }
            found.push_back({static_cast<std::uint8_t>(kings),
                             static_cast<std::uint8_t>(pieces - kings - marked),
                             static_cast<std::uint8_t>(marked)});
        }
    }
    return found;
}

// Those materials of so many pieces that have a file, in the order of the build: each after those that its
// moves lead to, as a crowning leaves fewer men. Of most pieces only those of nearly even forces: they are
// what games come to, and half of all.
inline std::vector<Material> materials(int pieces, Kinds kinds) {
    std::vector<Material> found;
    for (int own = 1; own < pieces; ++own) {
        if (pieces == most_pieces && std::abs(pieces - 2 * own) > 1) { continue; }
        for (auto const& ours : forces(own, kinds)) {
            for (auto const& theirs : forces(pieces - own, kinds)) {
                Material const material{ours, theirs};
                if (material == material.filed()) { found.push_back(material); }
            }
        }
    }
    std::ranges::sort(found, [](Material const& a, Material const& b) {
        return a.men() != b.men() ? a.men() < b.men() : a < b;
    });
    return found;
}

}  // namespace crownhead::endgame
