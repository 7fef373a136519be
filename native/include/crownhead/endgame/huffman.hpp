// Canonical Huffman codes of bounded length, and strings of their bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crownhead::endgame {

// The lengths of the words of the best code in which none is longer than `longest`, or nearly so: rare tokens
// are counted as less rare. 0: a token that does not occur.
std::vector<std::uint8_t> code_lengths(std::vector<std::uint64_t> counts, unsigned longest);

struct CodeWord {
    std::uint32_t bits = 0;
    unsigned length = 0;
};

// The words of a canonical code: by length, then by token; none where the lengths are those of no code.
std::vector<CodeWord> canonical_code(std::span<std::uint8_t const> lengths, unsigned longest);

// Appends bits to bytes, the highest of each byte first.
class BitWriter {
  public:
    explicit BitWriter(std::vector<std::uint8_t>& bytes) : bytes_{bytes} {}
    void put(CodeWord word) {
        for (unsigned i = word.length; i-- > 0;) {
            if (used_ == 0) { bytes_.push_back(0); }
            bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | (word.bits >> i & 1U) << (7 - used_));
            used_ = (used_ + 1) % 8;
        }
    }
    void align() { used_ = 0; }

  private:
    std::vector<std::uint8_t>& bytes_;
    unsigned used_ = 0;
};

}  // namespace crownhead::endgame
