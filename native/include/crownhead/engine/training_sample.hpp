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
template <class R>
struct Sample {
    Position<R> position;
    std::int16_t score = 0;
    std::uint8_t result = 1;
    Colour turn = Colour::black;
};

// As bytes, low byte first: the words of the position, the score, the result, the turn.
template <class R>
class SampleBytes {
    using Set = typename R::Set;
    using Word = typename R::Word;

  public:
    explicit SampleBytes(R rules) : rules_{rules} {}

    std::size_t size() const {
        std::size_t const words = has_marks() ? 4 : 3;
        return words * sizeof(Word) + (counts_runs() ? 2 * (sizeof(Word) + 1) : 0) + 4;
    }

    void write(Sample<R> const& sample, std::string& bytes) const {
        auto const& position = sample.position;
        for (auto set : {position.own, position.theirs, position.kings}) { put(bytes, set.bits()); }
        if (has_marks()) { put(bytes, position.marked(position.occupied()).bits()); }
        if constexpr (R::may_count_runs) {
            if (counts_runs()) {
                for (auto const& run : {position.own_run, position.their_run}) {
                    put(bytes, run.king().bits());
                    put(bytes, static_cast<std::uint8_t>(run.steps()));
                }
            }
        }
        put(bytes, sample.score);
        put(bytes, sample.result);
        put(bytes, static_cast<std::uint8_t>(sample.turn));
    }

    // `bytes` holds whole samples.
    void read(std::string_view bytes, std::vector<Sample<R>>& samples) const {
        samples.reserve(samples.size() + bytes.size() / size());
        for (char const* at = bytes.data(); at < bytes.data() + bytes.size();) {
            samples.push_back(read_one(at));
        }
    }

  private:
    bool has_marks() const { return rules_->marked != Marked::none; }
    bool counts_runs() const { return rules_->king_run > 0; }

    Sample<R> read_one(char const*& at) const {
        Sample<R> sample;
        auto& position = sample.position;
        position.rules = rules_;
        for (auto* set : {&position.own, &position.theirs, &position.kings}) { *set = Set{get<Word>(at)}; }
        if constexpr (R::may_have_marks) {
            if (has_marks()) { position.marks = Set{get<Word>(at)}; }
        }
        if constexpr (R::may_count_runs) {
            if (counts_runs()) {
                for (auto* run : {&position.own_run, &position.their_run}) {
                    Set const king{get<Word>(at)};
                    *run = {king, get<std::uint8_t>(at)};
                }
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

    R rules_;
};

}  // namespace crownhead::engine
