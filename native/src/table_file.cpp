// Files of endgame tables: written whole or not at all, and checked before they are believed.
#include "crownhead/endgame/table_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "crownhead/hash.hpp"

namespace crownhead::endgame {
namespace {

static_assert(std::endian::native == std::endian::little, "files of tables are little-endian");

constexpr std::string_view magic{"CHTABLE\0", 8};
constexpr std::size_t most_tokens = 5000;

std::uint64_t checksum(std::span<std::uint8_t const> bytes) {
    std::uint64_t hash = 0x2B7E151628AED2A7U;
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, 8);
        hash = fold(hash ^ word, 0x243F6A8885A308D3U) + 0x9E3779B97F4A7C15U;
    }
    return hash;
}

class Bytes {
  public:
    template <class T>
    void put(T value) {
        put(&value, sizeof value);
    }
    void put(void const* data, std::size_t size) {
        auto const* begin = static_cast<std::uint8_t const*>(data);
        bytes_.insert(bytes_.end(), begin, begin + size);
    }
    void fill() {
        while (bytes_.size() % 8 != 0) { bytes_.push_back(0); }
    }
    std::span<std::uint8_t const> all() const { return bytes_; }

  private:
    std::vector<std::uint8_t> bytes_;
};

[[noreturn]] void fail(char const* what, std::filesystem::path const& path) {
    throw std::filesystem::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

// Closes what it holds.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_{number} {}
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    ~Descriptor() {
        if (number_ >= 0) { ::close(number_); }
    }
    int get() const { return number_; }

  private:
    int number_;
};

void write_all(std::filesystem::path const& path, std::span<std::uint8_t const> bytes) {
    Descriptor const file{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
    if (file.get() < 0) { fail("cannot write a table", path); }
    while (!bytes.empty()) {
        auto const written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { fail("cannot write a table", path); }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    if (::fsync(file.get()) != 0) { fail("cannot write a table", path); }
}

// Reads one field of a file after another.
class Reader {
  public:
    Reader(std::uint8_t const* data, std::size_t size, std::filesystem::path const& path)
        : data_{data}, size_{size}, path_{path} {}

    template <class T>
    T take() {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    std::uint8_t const* take(std::uint64_t size) {
        if (size > size_ - at_) { refuse("is cut off"); }
        auto const* found = data_ + at_;
        at_ += size;
        return found;
    }
    void fill() { at_ += (8 - at_ % 8) % 8; }
    std::size_t at() const { return at_; }

    [[noreturn]] void refuse(std::string const& why) const {
        throw BadFile("expected an endgame table, got " + path_.string() + ", which " + why);
    }

  private:
    std::uint8_t const* data_;
    std::size_t size_;
    std::filesystem::path const& path_;
    std::size_t at_ = 0;
};

void check_head(Reader& reader, Head const& expected) {
    if (std::memcmp(reader.take(magic.size()), magic.data(), magic.size()) != 0) {
        reader.refuse("does not begin as one");
    }
    auto const fingerprint = reader.take<std::uint64_t>();
    auto const version = reader.take<std::uint32_t>();
    auto const content = reader.take<std::uint32_t>();
    auto const key = reader.take<std::uint32_t>();
    if (version != table_version) {
        reader.refuse("is of version " + std::to_string(version) + " instead of " +
                      std::to_string(table_version));
    }
    if (fingerprint != expected.fingerprint) { reader.refuse("was made for other rules"); }
    if (content != static_cast<std::uint32_t>(expected.content) || key != expected.material.key()) {
        reader.refuse("holds something else than its name says");
    }
}

TableFile::Table read_section(Reader& reader, std::uint64_t limit) {
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
    auto const blocks = (table.positions + block_size - 1) / block_size;
    if (lengths > most_tokens || bytes > limit || table.positions > limit * block_size ||
        offsets != (blocks + 1) * sizeof(std::uint32_t)) {
        reader.refuse("contradicts itself");
    }
    std::span const code{reader.take(lengths), static_cast<std::size_t>(lengths)};
    reader.fill();
    auto const* ends = reinterpret_cast<std::uint32_t const*>(reader.take(offsets));
    reader.fill();
    auto const* data = reader.take(bytes);
    reader.fill();
    for (std::uint64_t i = 0; i < blocks; ++i) {
        if (ends[i] > ends[i + 1] || ends[i + 1] > bytes) { reader.refuse("contradicts itself"); }
    }
    try {
        table.numbers = Unpacker{code, ends, data};
    } catch (std::runtime_error const&) { reader.refuse("contradicts itself"); }
    return table;
}

}  // namespace

std::filesystem::path path_of(std::filesystem::path const& folder, Material const& material,
                              Content content) {
    return folder / (material.name() + (content == Content::results ? ".results" : ".plies"));
}

void write_table(std::filesystem::path const& path, Head const& head, std::vector<Section> const& sections) {
    Bytes bytes;
    bytes.put(magic.data(), magic.size());
    bytes.put(head.fingerprint);
    bytes.put(table_version);
    bytes.put(static_cast<std::uint32_t>(head.content));
    bytes.put(head.material.key());
    bytes.put(static_cast<std::uint32_t>(sections.size()));
    for (auto const& section : sections) {
        auto const& packed = section.packed;
        for (auto const count :
             {section.counts.wins, section.counts.losses, section.counts.draws, section.counts.longest_win,
              section.counts.longest_loss, section.positions, std::uint64_t{packed.lengths.size()},
              std::uint64_t{packed.offsets.size() * sizeof(std::uint32_t)},
              std::uint64_t{packed.bytes.size()}}) {
            bytes.put(count);
        }
        bytes.put(packed.lengths.data(), packed.lengths.size());
        bytes.fill();
        bytes.put(packed.offsets.data(), packed.offsets.size() * sizeof(std::uint32_t));
        bytes.fill();
        bytes.put(packed.bytes.data(), packed.bytes.size());
        bytes.fill();
    }
    bytes.put(checksum(bytes.all()));
    auto half_written = path;
    half_written += ".";
    half_written += std::to_string(::getpid());
    half_written += ".part";
    try {
        write_all(half_written, bytes.all());
        std::filesystem::rename(half_written, path);
    } catch (std::filesystem::filesystem_error const&) {
        std::error_code ignored;
        std::filesystem::remove(half_written, ignored);
        throw;
    }
}

TableFile::Map::Map(std::filesystem::path const& path) {
    Descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat about {};
    if (file.get() < 0 || ::fstat(file.get(), &about) != 0) {
        throw BadFile("expected an endgame table, got " + path.string() + ": " + std::strerror(errno));
    }
    size = static_cast<std::size_t>(about.st_size);
    if (size == 0) { throw BadFile("expected an endgame table, got " + path.string() + ", which is empty"); }
    auto* const begin = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (begin == MAP_FAILED) {
        throw BadFile("expected an endgame table, got " + path.string() + ": " + std::strerror(errno));
    }
    data = static_cast<std::uint8_t const*>(begin);
}

TableFile::Map::~Map() { ::munmap(const_cast<std::uint8_t*>(data), size); }

TableFile::TableFile(std::filesystem::path const& path, Head const& expected)
    : map_{std::make_unique<Map>(path)} {
    Reader reader{map_->data, map_->size, path};
    check_head(reader, expected);
    auto const sections = reader.take<std::uint32_t>();
    if (map_->size % 8 != 0) { reader.refuse("is cut off"); }
    std::uint64_t noted = 0;
    std::memcpy(&noted, map_->data + map_->size - 8, 8);
    if (checksum({map_->data, map_->size - 8}) != noted) {
        reader.refuse("is damaged: its checksum is another");
    }
    if (sections != (expected.material.is_even() ? 1U : 2U)) { reader.refuse("contradicts itself"); }
    for (std::uint32_t i = 0; i < sections; ++i) { tables_.push_back(read_section(reader, map_->size)); }
    if (reader.at() + 8 != map_->size) { reader.refuse("contradicts itself"); }
}

}  // namespace crownhead::endgame
