// Compression of endgame tables: long rows of small numbers, any of which can be read without decoding the
// rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crownhead::endgame {

// Run lengths, then canonical Huffman codes. A row is cut into blocks of 256 numbers; a block is a string of
// codes, highest bit first, of tokens:
//
//        0 …  7   the number before once more 1, 2, 4 … 128 times
//             8   the number before to the end of the block
//        9 …      the number `token - 9`
//
// An empty block holds zeros. All blocks of a row share its codes.
inline constexpr std::uint16_t dont_care = 0xFFFF;  // nobody reads it: any value that packs well
inline constexpr unsigned block_size = 256;
inline constexpr int longest_code = 12;  // bits

struct Packed {
    std::vector<std::uint8_t> lengths;   // of the code of each token, 0: not used
    std::vector<std::uint32_t> offsets;  // where each block begins, and where the last ends
    std::vector<std::uint8_t> bytes;
};

// Packs `numbers`, each below 4,000 or `dont_care`.
Packed pack(std::span<std::uint16_t const> numbers);

// Reads a row without owning it.
class Unpacker {
  public:
    static bool is_code(std::span<std::uint8_t const> lengths);

    Unpacker() = default;
    // The lengths are a code; `bytes` are followed by eight that may be read.
    Unpacker(std::span<std::uint8_t const> lengths, std::uint32_t const* offsets, std::uint8_t const* bytes);

    std::uint16_t operator()(std::uint64_t index) const {
        auto const block = static_cast<std::size_t>(index / block_size);
        auto wanted = static_cast<unsigned>(index % block_size);
        Bits bits{bytes_ + offsets_[block], bytes_ + offsets_[block + 1]};
        std::uint16_t number = 0;
        while (!bits.at_end()) {
            auto const token = next(bits);
            if (token >= first_number) {
                number = static_cast<std::uint16_t>(token - first_number);
                if (wanted-- == 0) { return number; }
                continue;
            }
            unsigned const times = token == rest ? block_size : 1U << token;
            if (wanted < times) { return number; }
            wanted -= times;
        }
        return number;
    }

    // All numbers of a row of `size`.
    std::vector<std::uint16_t> all(std::uint64_t size) const;

    static constexpr unsigned rest = 8;
    static constexpr unsigned first_number = 9;

  private:
    class Bits {
      public:
        Bits(std::uint8_t const* begin, std::uint8_t const* end) : at_{begin}, end_{end} {}
        bool at_end() const { return at_ >= end_; }
        unsigned peek() const {
            std::uint32_t const word = std::uint32_t{at_[0]} << 24 | std::uint32_t{at_[1]} << 16 |
                                       std::uint32_t{at_[2]} << 8 | at_[3];
            return word << used_ >> (32 - longest_code);
        }
        void skip(unsigned bits) {
            used_ += bits;
            at_ += used_ / 8;
            used_ %= 8;
        }

      private:
        std::uint8_t const* at_;
        std::uint8_t const* end_;
        unsigned used_ = 0;
    };

    struct Code {
        std::uint16_t token = rest;
        std::uint8_t length = longest_code;
    };

    unsigned next(Bits& bits) const {
        auto const code = codes_[bits.peek()];
        bits.skip(code.length);
        return code.token;
    }

    std::vector<Code> codes_;  // by the next `longest_code` bits
    std::uint32_t const* offsets_ = nullptr;
    std::uint8_t const* bytes_ = nullptr;
};

}  // namespace crownhead::endgame
