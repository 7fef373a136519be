// A file of an endgame table: the results, or the distances, of one material and the same with the sides
// exchanged.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "crownhead/endgame/codec.hpp"
#include "crownhead/endgame/material.hpp"

namespace crownhead::endgame {

// Results are 0 drawn, 1 won, 2 lost; distances are plies to the end of the game.
enum class Content : std::uint32_t { results, distances };

// The file is no table, is damaged, or was made for other rules; the message names it and says why.
struct BadFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Counts {
    std::uint64_t wins = 0;
    std::uint64_t losses = 0;
    std::uint64_t draws = 0;
    std::uint64_t longest_win = 0;  // plies
    std::uint64_t longest_loss = 0;

    friend bool operator==(Counts const&, Counts const&) = default;
};

// The header of a file. All numbers are little-endian:
//
//      8  magic "CHTABLE" and a zero        8  fingerprint of the rules
//      4  version      4  content           4  key of the material      4  tables, 1 or 2
//
// Each table then has its five counts and the number of its positions (8 bytes each), the length in bytes of
// its codes, of its offsets and of its blocks (8 bytes each), and these three, each filled up to a multiple
// of 8. At the end stand 8 bytes, a checksum of all before.
struct Head {
    std::uint64_t fingerprint = 0;
    Content content = Content::results;
    Material material;
};

inline constexpr std::uint32_t table_version = 1;

struct Section {
    Counts counts;
    std::uint64_t positions = 0;
    Packed packed;
};

// `material` in the folder.
std::filesystem::path path_of(std::filesystem::path const& folder, Material const& material, Content content);

// Writes a whole file or none. Throws std::filesystem::filesystem_error.
void write_table(std::filesystem::path const& path, Head const& head, std::vector<Section> const& sections);

// A file that is open for reading, mapped into memory.
class TableFile {
  public:
    struct Table {
        Counts counts;
        std::uint64_t positions = 0;
        Unpacker numbers;
    };

    // Throws BadFile.
    TableFile(std::filesystem::path const& path, Head const& expected);

    // The material itself, then the same with the sides exchanged where that is another.
    std::vector<Table> const& tables() const { return tables_; }
    std::size_t bytes() const { return map_->size; }

  private:
    struct Map {
        explicit Map(std::filesystem::path const& path);
        Map(Map const&) = delete;
        Map& operator=(Map const&) = delete;
        ~Map();
        std::uint8_t const* data = nullptr;
        std::size_t size = 0;
    };

    std::unique_ptr<Map> map_;
    std::vector<Table> tables_;
};

}  // namespace crownhead::endgame
