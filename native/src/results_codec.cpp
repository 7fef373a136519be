// Packing of results: run lengths, then Huffman codes.
#include "crownhead/endgame/results_codec.hpp"

#include <algorithm>

#include "crownhead/endgame/huffman.hpp"
#include "crownhead/failure.hpp"

namespace crownhead::endgame {
namespace {

constexpr unsigned single_lengths = 16;  // that have a class each
constexpr unsigned classes = (results_tokens - 1) / 2;

// The lengths of a run that share a code.
struct LengthClass {
    unsigned shortest = 0;
    unsigned more = 0;  // bits that tell them apart
};

constexpr std::array<LengthClass, classes> length_classes = [] {
    std::array<LengthClass, classes> all{};
    unsigned shortest = 1;
    for (unsigned i = 0; i < classes; ++i) {
        unsigned const more = i < single_lengths ? 0 : 2 + (i - single_lengths) / 2;
        all[i] = {shortest, more};
        shortest += 1U << more;
    }
    return all;
}();
static_assert(length_classes.back().shortest + (1U << length_classes.back().more) > results_block);
static_assert(length_classes.back().more + results_longest_code <= 19);

unsigned class_of(unsigned length) {
    auto const* const after = std::ranges::upper_bound(length_classes, length, {}, &LengthClass::shortest);
    return static_cast<unsigned>(after - length_classes.begin() - 1);
}

// Calls `begin(first)` with the first result of a block, then `visit(token, length)` for each of its tokens.
// A run goes on through results that nobody reads.
template <class Begin, class Visit>
void each_token(std::span<std::uint8_t const> block, Begin const& begin, Visit const& visit) {
    std::size_t at = 0;
    while (at < block.size() && block[at] == any_result) { ++at; }
    unsigned result = at < block.size() ? block[at] : 0U;
    begin(result);
    std::size_t from = 0;
    while (true) {
        while (at < block.size() && (block[at] == result || block[at] == any_result)) { ++at; }
        if (at == block.size()) {
            visit(ResultsUnpacker::rest, 0U);
            return;
        }
        auto const length = static_cast<unsigned>(at - from);
        unsigned const next = block[at];
        visit(2 * class_of(length) + (next + 2 - result) % 3, length);
        result = next;
        from = at;
    }
}

template <class Visit>
void each_block(std::span<std::uint8_t const> results, Visit const& visit) {
    for (std::size_t begin = 0; begin < results.size(); begin += results_block) {
        visit(results.subspan(begin, std::min<std::size_t>(results_block, results.size() - begin)));
    }
}

}  // namespace

PackedResults pack_results(std::span<std::uint8_t const> results) {
    std::vector<std::uint64_t> counts(results_tokens, 0);
    each_block(results, [&](auto block) {
        each_token(
            block, [](unsigned) {}, [&](unsigned token, unsigned) { ++counts[token]; });
    });
    PackedResults packed;
    packed.lengths = code_lengths(std::move(counts), results_longest_code);
    auto const words = canonical_code(packed.lengths, results_longest_code);
    packed.index.assign(results_index_size(results.size()), 0);
    BitWriter writer{packed.bytes};
    std::size_t number = 0;
    std::size_t base = 0;
    each_block(results, [&](auto block) {
        auto* const group = packed.index.data() + number / results_group * results_stride;
        if (number % results_group == 0) {
            base = packed.bytes.size();
            if (base > 0xFFFF'0000) { fail(Failure::work, "expected tables below 4 GiB"); }
            group[0] = static_cast<std::uint16_t>(base & 0xFFFF);
            group[1] = static_cast<std::uint16_t>(base >> 16);
        }
        group[2 + number % results_group] = static_cast<std::uint16_t>(packed.bytes.size() - base);
        ++number;
        each_token(
            block,
            [&](unsigned first) {
                writer.put({first, 2});
            },
            [&](unsigned token, unsigned length) {
                writer.put(words[token]);
                if (token == ResultsUnpacker::rest) { return; }
                auto const& of = length_classes[token / 2];
                writer.put({length - of.shortest, of.more});
            });
        writer.align();
    });
    packed.bytes.resize(packed.bytes.size() + results_slack, 0);
    return packed;
}

bool ResultsUnpacker::is_code(std::span<std::uint8_t const> lengths) {
    return lengths.size() == results_tokens &&
           canonical_code(lengths, results_longest_code).size() == lengths.size();
}

ResultsUnpacker::ResultsUnpacker(std::span<std::uint8_t const> lengths, std::uint16_t const* index,
                                 std::uint8_t const* bytes)
    : codes_(std::size_t{1} << results_longest_code), index_{index}, bytes_{bytes} {
    auto const words = canonical_code(lengths, results_longest_code);
    for (std::size_t token = 0; token < words.size(); ++token) {
        if (words[token].length == 0) { continue; }
        Code code;
        code.bits = static_cast<std::uint8_t>(words[token].length);
        if (token != rest) {
            auto const& of = length_classes[token / 2];
            code.length = static_cast<std::uint16_t>(of.shortest);
            code.more = static_cast<std::uint8_t>(2 * of.more + token % 2);
        }
        unsigned const free = results_longest_code - words[token].length;
        std::fill_n(codes_.begin() + (static_cast<std::ptrdiff_t>(words[token].bits) << free),
                    std::size_t{1} << free, code);
    }
}

std::vector<std::uint8_t> ResultsUnpacker::all(std::uint64_t size) const {
    std::vector<std::uint8_t> results(size);
    for (std::uint64_t begin = 0; begin < size; begin += results_block) {
        auto const end = std::min<std::uint64_t>(size, begin + results_block);
        Runs runs{*this, begin / results_block};
        for (auto at = begin; at < end;) {
            auto const length = std::min<std::uint64_t>(runs.next(), end - at);
            std::fill_n(results.begin() + static_cast<std::ptrdiff_t>(at), length,
                        static_cast<std::uint8_t>(runs.result()));
            at += length;
            runs.change();
        }
    }
    return results;
}

bool ResultsUnpacker::fits(std::uint16_t const* index, std::uint64_t size, std::uint64_t bytes) {
    auto const blocks = (size + results_block - 1) / results_block;
    std::uint64_t before = 0;
    for (std::uint64_t block = 0; block < blocks; ++block) {
        auto const begin = begin_of(index, block);
        if (begin < before || begin + results_slack > bytes) { return false; }
        before = begin;
    }
    return true;
}

}  // namespace crownhead::endgame
