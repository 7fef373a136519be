// Canonical Huffman codes of bounded length.
#include "crownhead/endgame/huffman.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace crownhead::endgame {
namespace {

std::vector<std::uint8_t> depths(std::vector<std::uint64_t> const& counts) {
    struct Node {
        std::uint64_t count;
        std::size_t number;
        bool operator>(Node const& other) const {
            return count != other.count ? count > other.count : number > other.number;
        }
    };
    std::vector<std::size_t> parents(2 * counts.size(), 0);
    std::priority_queue<Node, std::vector<Node>, std::greater<>> heap;
    for (std::size_t token = 0; token < counts.size(); ++token) {
        if (counts[token] > 0) { heap.push({counts[token], token}); }
    }
    std::vector<std::uint8_t> lengths(counts.size(), 0);
    if (heap.size() == 1) {
        lengths[heap.top().number] = 1;
        return lengths;
    }
    auto inner = counts.size();
    while (heap.size() > 1) {
        auto const first = heap.top();
        heap.pop();
        auto const second = heap.top();
        heap.pop();
        parents[first.number] = parents[second.number] = inner;
        heap.push({first.count + second.count, inner++});
    }
    for (std::size_t token = 0; token < counts.size(); ++token) {
        if (counts[token] == 0) { continue; }
        for (auto node = token; node + 1 != inner; node = parents[node]) { ++lengths[token]; }
    }
    return lengths;
}

}  // namespace

std::vector<std::uint8_t> code_lengths(std::vector<std::uint64_t> counts, unsigned longest) {
    while (true) {
        auto lengths = depths(counts);
        if (std::ranges::max(lengths) <= longest) { return lengths; }
        for (auto& count : counts) { count = count == 0 ? 0 : count / 2 + 1; }
    }
}

std::vector<CodeWord> canonical_code(std::span<std::uint8_t const> lengths, unsigned longest) {
    std::vector<CodeWord> words(lengths.size());
    std::uint32_t next = 0;
    for (unsigned length = 1; length <= longest; ++length) {
        next <<= 1;
        for (std::size_t token = 0; token < lengths.size(); ++token) {
            if (lengths[token] == length) { words[token] = {next++, length}; }
        }
        if (next > 1U << length) { return {}; }
    }
    return words;
}

}  // namespace crownhead::endgame
