// Training data: a position of a game with its labels (score and result), in memory and as bytes of a file.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "crownhead/engine/score.hpp"
#include "crownhead/position.hpp"

namespace crownhead::engine {

// The side to move got `result`, 0, 1 or 2 half points, in its game; `score` is what the search gave it.
template <Rules R>
struct Sample {
    Position<R> position;
    std::int16_t score = 0;
    std::uint8_t result = 1;
    Colour turn = Colour::black;
};

// As bytes, low byte first: the words of the position, the score, the result, the turn.
template <Rules R>
class SampleBytes {
    using Set = typename Position<R>::Set;
    using Word = typename Geometry<R.board>::Word;
    static constexpr std::size_t words = 3 + (R.marked != Marked::none ? 1 : 0);
    static constexpr std::size_t run_size = Position<R>::counts_runs ? 2 * (sizeof(Word) + 1) : 0;

  public:
    static constexpr std::size_t size = words * sizeof(Word) + run_size + 4;

    static void write(Sample<R> const& sample, std::string& bytes) {
        auto const& position = sample.position;
        for (auto set : {position.own, position.theirs, position.kings}) { put(bytes, set.bits()); }
        if constexpr (R.marked != Marked::none) { put(bytes, position.marks.bits()); }
        if constexpr (Position<R>::counts_runs) {
            for (auto const& run : {position.own_run, position.their_run}) {
                put(bytes, run.king.bits());
                put(bytes, run.steps);
            }
        }
        put(bytes, sample.score);
        put(bytes, sample.result);
        put(bytes, static_cast<std::uint8_t>(sample.turn));
    }

    // `bytes` holds whole samples.
    static void read(std::string_view bytes, std::vector<Sample<R>>& samples) {
        samples.reserve(samples.size() + bytes.size() / size);
        for (char const* at = bytes.data(); at < bytes.data() + bytes.size();) {
            samples.push_back(read_one(at));
        }
    }

  private:
    static Sample<R> read_one(char const*& at) {
        Sample<R> sample;
        auto& position = sample.position;
        for (auto* set : {&position.own, &position.theirs, &position.kings}) { *set = Set{get<Word>(at)}; }
        if constexpr (R.marked != Marked::none) { position.marks = Set{get<Word>(at)}; }
        if constexpr (Position<R>::counts_runs) {
            for (auto* run : {&position.own_run, &position.their_run}) {
                run->king = Set{get<Word>(at)};
                run->steps = get<std::uint8_t>(at);
            }
        }
        sample.score = get<std::int16_t>(at);
        sample.result = get<std::uint8_t>(at);
        sample.turn = get<std::uint8_t>(at) == 0 ? Colour::black : Colour::white;
        return sample;
    }

    template <class T>
    static void put(std::string& bytes, T value) {
        bytes.append(reinterpret_cast<char const*>(&value), sizeof value);
    }

    template <class T>
    static T get(char const*& at) {
        T value;
        std::memcpy(&value, at, sizeof value);
        at += sizeof value;
        return value;
    }
};

}  // namespace crownhead::engine
