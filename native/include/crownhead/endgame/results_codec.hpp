// Compression of results alone: long rows of won, lost and drawn, any of which is read by decoding a part of
// one block.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "crownhead/endgame/value.hpp"

namespace crownhead::endgame {

// Run lengths in canonical Huffman codes. A row is cut into blocks of 2,048 results; a block is a string of
// bits, the highest of each byte first: the first result in two bits, then a token for each run of the same
// result.
//
//        0 … 63    a run of length class `token / 2`, and what follows it: the first (0) or the second (1) of
//                  the results draw, win, loss after its own, going round
//        64        the same to the end of the block
//
// Lengths up to 16 have a class each; from there two classes share a number of further bits, which follow the
// code: 17 … 20, 21 … 24 (two bits), 25 … 32, 33 … 40 (three) and so on. All blocks of a row share its codes.
//
// The index says where blocks begin, in words of 16 bits. Sixteen blocks take 18 of them:
//
//        2   where the first of the sixteen begins, in bytes from the start of all, low word first
//       16   where each begins, in bytes from there
//
// The blocks are followed by zeros, so that no string of bits, whatever it says, is read beyond the end.
inline constexpr std::uint8_t any_result = 3;  // nobody reads it: any value that packs well
inline constexpr unsigned results_block = 2048;
inline constexpr unsigned results_group = 16;                  // blocks
inline constexpr unsigned results_stride = results_group + 2;  // words of the index for each
inline constexpr unsigned results_longest_code = 10;           // bits
inline constexpr unsigned results_tokens = 65;
inline constexpr unsigned results_slack = results_block * 19 / 8 + 8;  // bytes: a token has 19 bits at most

struct PackedResults {
    std::vector<std::uint8_t> lengths;  // of the code of each token, 0: not used
    std::vector<std::uint16_t> index;
    std::vector<std::uint8_t> bytes;
};

// How many words the index of so many results has.
constexpr std::uint64_t results_index_size(std::uint64_t positions) {
    auto const blocks = (positions + results_block - 1) / results_block;
    return (blocks + results_group - 1) / results_group * results_stride;
}

// Packs results, each a number of `Result` or `any_result`.
PackedResults pack_results(std::span<std::uint8_t const> results);

// Reads a row without owning it.
class ResultsUnpacker {
  public:
    static bool is_code(std::span<std::uint8_t const> lengths);

    ResultsUnpacker() = default;
    // The lengths are a code, and the blocks fit.
    ResultsUnpacker(std::span<std::uint8_t const> lengths, std::uint16_t const* index,
                    std::uint8_t const* bytes);

    bool is_open() const { return bytes_ != nullptr; }

    Result operator()(std::uint64_t number) const {
        auto wanted = static_cast<unsigned>(number % results_block);
        Runs runs{*this, number / results_block};
        while (true) {
            auto const length = runs.next();
            if (wanted < length) { return static_cast<Result>(runs.result()); }
            wanted -= length;
            runs.change();
        }
    }

    // All results of a row of `size`, as numbers of `Result`.
    std::vector<std::uint8_t> all(std::uint64_t size) const;

    // Whether the blocks of a row of `size` lie within so many bytes, and the zeros after them.
    static bool fits(std::uint16_t const* index, std::uint64_t size, std::uint64_t bytes);

    static constexpr unsigned rest = results_tokens - 1;
    static constexpr unsigned endless = 0xFFFF;  // the length of the last run

  private:
    // What the next bits mean.
    struct Code {
        std::uint16_t length = endless;  // the shortest of the class
        std::uint8_t bits = results_longest_code;
        std::uint8_t more = 0;  // further bits, times two, and which of two results follows
    };

    class Runs {
      public:
        Runs(ResultsUnpacker const& row, std::uint64_t block)
            : codes_{row.codes_.data()}, bytes_{row.bytes_ + begin_of(row.index_, block)} {
            result_ = static_cast<unsigned>(window() >> 62);
            at_ = 2;
        }
        unsigned next() {
            auto const bits = window();
            code_ = codes_[bits >> (64 - results_longest_code)];
            unsigned const more = code_.more / 2U;
            at_ += code_.bits + more;
            return code_.length + static_cast<unsigned>(bits << code_.bits >> 1 >> (63 - more));
        }
        unsigned result() const { return result_; }
        void change() {
            result_ += 1 + code_.more % 2U;
            result_ -= result_ > 2 ? 3 : 0;
        }

      private:
        std::uint64_t window() const {
            std::uint64_t bits = 0;
            std::memcpy(&bits, bytes_ + at_ / 8, 8);
            return __builtin_bswap64(bits) << at_ % 8;
        }

        Code const* codes_;
        std::uint8_t const* bytes_;
        unsigned at_ = 0;
        unsigned result_ = 0;
        Code code_;
    };

    static std::uint64_t begin_of(std::uint16_t const* index, std::uint64_t block) {
        auto const* const group = index + block / results_group * results_stride;
        return (std::uint64_t{group[0]} | std::uint64_t{group[1]} << 16) + group[2 + block % results_group];
    }

    std::vector<Code> codes_;  // by the next `results_longest_code` bits
    std::uint16_t const* index_ = nullptr;
    std::uint8_t const* bytes_ = nullptr;
};

}  // namespace crownhead::endgame
