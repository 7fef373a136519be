// Files of endgame tables: checked before they are believed.
#include "crownhead/endgame/table_file.hpp"

#include <bit>
#include <cstring>

#include "crownhead/failure.hpp"
#include "crownhead/hash.hpp"

namespace crownhead::endgame {
namespace {

static_assert(std::endian::native == std::endian::little, "files of tables are little-endian");

constexpr std::size_t most_tokens = 5000;

// Reads one field of a file after another.
class Reader {
  public:
    explicit Reader(TableBytes const& content) : content_{content}, data_{content.all()} {}

    template <class T>
    T take() {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    std::uint8_t const* take(std::uint64_t size) {
        if (size > data_.size() - at_) { refuse("is cut off"); }
        auto const* found = data_.data() + at_;
        at_ += size;
        return found;
    }
    void fill() { at_ += (8 - at_ % 8) % 8; }
    std::size_t at() const { return at_; }

    [[noreturn]] void refuse(std::string const& why) const {
        fail(Failure::table, "expected an endgame table, got " + content_.name() + ", which " + why);
    }

  private:
    TableBytes const& content_;
    std::span<std::uint8_t const> data_;
    std::size_t at_ = 0;
};

// The version.
std::uint32_t check_head(Reader& reader, Head const& expected) {
    if (std::memcmp(reader.take(table_magic.size()), table_magic.data(), table_magic.size()) != 0) {
        reader.refuse("does not begin as one");
    }
    auto const fingerprint = reader.take<std::uint64_t>();
    auto const version = reader.take<std::uint32_t>();
    auto const content = reader.take<std::uint32_t>();
    auto const key = reader.take<std::uint32_t>();
    bool const known = version == version_of_numbers ||
                       (version == version_of_results && expected.content == Content::results);
    if (!known) {
        reader.refuse("is of version " + std::to_string(version) + " instead of " +
                      std::to_string(version_of_numbers));
    }
    if (fingerprint != expected.fingerprint) { reader.refuse("was made for other rules"); }
    if (content != static_cast<std::uint32_t>(expected.content) || key != expected.material.key()) {
        reader.refuse("holds something else than its name says");
    }
    return version;
}

void read_numbers(Reader& reader, TableFile::Table& table, std::uint64_t lengths, std::uint64_t offsets,
                  std::uint64_t bytes) {
    auto const blocks = (table.positions + block_size - 1) / block_size;
    if (offsets != (blocks + 1) * sizeof(std::uint32_t)) { reader.refuse("contradicts itself"); }
    std::span const code{reader.take(lengths), static_cast<std::size_t>(lengths)};
    reader.fill();
    auto const* ends = reinterpret_cast<std::uint32_t const*>(reader.take(offsets));
    reader.fill();
    auto const* data = reader.take(bytes);
    reader.fill();
    for (std::uint64_t i = 0; i < blocks; ++i) {
        if (ends[i] > ends[i + 1] || ends[i + 1] > bytes) { reader.refuse("contradicts itself"); }
    }
    if (!Unpacker::is_code(code)) { reader.refuse("contradicts itself"); }
    table.numbers = Unpacker{code, ends, data};
}

void read_results(Reader& reader, TableFile::Table& table, std::uint64_t lengths, std::uint64_t index,
                  std::uint64_t bytes) {
    if (index != results_index_size(table.positions) * sizeof(std::uint16_t)) {
        reader.refuse("contradicts itself");
    }
    std::span const code{reader.take(lengths), static_cast<std::size_t>(lengths)};
    reader.fill();
    auto const* begins = reinterpret_cast<std::uint16_t const*>(reader.take(index));
    reader.fill();
    auto const* data = reader.take(bytes);
    reader.fill();
    if (!ResultsUnpacker::is_code(code) || !ResultsUnpacker::fits(begins, table.positions, bytes)) {
        reader.refuse("contradicts itself");
    }
    table.results = ResultsUnpacker{code, begins, data};
}

TableFile::Table read_section(Reader& reader, std::uint32_t version, std::uint64_t limit) {
    TableFile::Table table;
    table.counts.wins = reader.take<std::uint64_t>();
    table.counts.losses = reader.take<std::uint64_t>();
    table.counts.draws = reader.take<std::uint64_t>();
    table.counts.longest_win = reader.take<std::uint64_t>();
    table.counts.longest_loss = reader.take<std::uint64_t>();
    table.positions = reader.take<std::uint64_t>();
    auto const lengths = reader.take<std::uint64_t>();
    auto const offsets = reader.take<std::uint64_t>();
    auto const bytes = reader.take<std::uint64_t>();
    if (lengths > most_tokens || bytes > limit || table.positions > limit * results_block) {
        reader.refuse("contradicts itself");
    }
    auto const read = version == version_of_numbers ? read_numbers : read_results;
    read(reader, table, lengths, offsets, bytes);
    return table;
}

}  // namespace

std::uint64_t checksum(std::span<std::uint8_t const> bytes) {
    std::uint64_t hash = 0x2B7E151628AED2A7U;
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, 8);
        hash = fold(hash ^ word, 0x243F6A8885A308D3U) + 0x9E3779B97F4A7C15U;
    }
    return hash;
}

std::string file_name(Material const& material, Content content) {
    return material.name() + (content == Content::results ? ".results" : ".plies");
}

std::vector<std::uint8_t> TableFile::Table::all_results() const {
    if (results.is_open()) { return results.all(positions); }
    auto const all = numbers.all(positions);
    return {all.begin(), all.end()};
}

TableFile::TableFile(std::unique_ptr<TableBytes> content, Head const& expected)
    : content_{std::move(content)} {
    auto const bytes = content_->all();
    Reader reader{*content_};
    auto const version = check_head(reader, expected);
    auto const sections = reader.take<std::uint32_t>();
    if (bytes.size() % 8 != 0) { reader.refuse("is cut off"); }
    std::uint64_t noted = 0;
    std::memcpy(&noted, bytes.data() + bytes.size() - 8, 8);
    if (checksum({bytes.data(), bytes.size() - 8}) != noted) {
        reader.refuse("is damaged: its checksum is another");
    }
    if (sections != (expected.material.is_even() ? 1U : 2U)) { reader.refuse("contradicts itself"); }
    for (std::uint32_t i = 0; i < sections; ++i) {
        tables_.push_back(read_section(reader, version, bytes.size()));
    }
    if (reader.at() + 8 != bytes.size()) { reader.refuse("contradicts itself"); }
}

}  // namespace crownhead::endgame
