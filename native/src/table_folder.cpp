// Files of endgame tables in a folder: written whole or not at all, and mapped into memory.
#include "crownhead/endgame/table_folder.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace crownhead::endgame {
namespace {

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

template <class Where>
void put_section(Bytes& bytes, Section const& section, std::vector<std::uint8_t> const& lengths,
                 std::vector<Where> const& where, std::vector<std::uint8_t> const& data) {
    auto const& counts = section.counts;
    for (auto const number : {counts.wins, counts.losses, counts.draws, counts.longest_win,
                              counts.longest_loss, section.positions, std::uint64_t{lengths.size()},
                              std::uint64_t{where.size() * sizeof(Where)}, std::uint64_t{data.size()}}) {
        bytes.put(number);
    }
    bytes.put(lengths.data(), lengths.size());
    bytes.fill();
    bytes.put(where.data(), where.size() * sizeof(Where));
    bytes.fill();
    bytes.put(data.data(), data.size());
    bytes.fill();
}

class Mapped final : public TableBytes {
  public:
    Mapped(std::string name, std::uint8_t const* data, std::size_t size)
        : TableBytes{std::move(name)}, data_{data}, size_{size} {}
    ~Mapped() override { ::munmap(const_cast<std::uint8_t*>(data_), size_); }
    std::span<std::uint8_t const> all() const override { return {data_, size_}; }

  private:
    std::uint8_t const* data_;
    std::size_t size_;
};

}  // namespace

std::filesystem::path path_of(std::filesystem::path const& folder, Material const& material,
                              Content content) {
    return folder / file_name(material, content);
}

void write_table(std::filesystem::path const& path, Head const& head, std::vector<Section> const& sections) {
    bool const as_results = !sections.front().packed_results.index.empty();
    Bytes bytes;
    bytes.put(table_magic.data(), table_magic.size());
    bytes.put(head.fingerprint);
    bytes.put(as_results ? version_of_results : version_of_numbers);
    bytes.put(static_cast<std::uint32_t>(head.content));
    bytes.put(head.material.key());
    bytes.put(static_cast<std::uint32_t>(sections.size()));
    for (auto const& section : sections) {
        if (as_results) {
            auto const& packed = section.packed_results;
            put_section(bytes, section, packed.lengths, packed.index, packed.bytes);
        } else {
            auto const& packed = section.packed;
            put_section(bytes, section, packed.lengths, packed.offsets, packed.bytes);
        }
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

std::unique_ptr<TableBytes> map_table(std::filesystem::path const& path) {
    Descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat about {};
    if (file.get() < 0 || ::fstat(file.get(), &about) != 0) {
        throw BadFile("expected an endgame table, got " + path.string() + ": " + std::strerror(errno));
    }
    auto const size = static_cast<std::size_t>(about.st_size);
    if (size == 0) { throw BadFile("expected an endgame table, got " + path.string() + ", which is empty"); }
    auto* const begin = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (begin == MAP_FAILED) {
        throw BadFile("expected an endgame table, got " + path.string() + ": " + std::strerror(errno));
    }
    return std::make_unique<Mapped>(path.string(), static_cast<std::uint8_t const*>(begin), size);
}

std::unique_ptr<TableBytes> FolderFiles::open(Material const& material, Content content) const {
    auto const path = path_of(folder_, material, content);
    return std::filesystem::exists(path) ? map_table(path) : nullptr;
}

}  // namespace crownhead::endgame
