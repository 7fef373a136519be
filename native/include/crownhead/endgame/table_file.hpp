// A file of an endgame table: the results, or the distances, of one material and the same with the sides
// exchanged.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crownhead/endgame/codec.hpp"
#include "crownhead/endgame/material.hpp"
#include "crownhead/endgame/results_codec.hpp"

namespace crownhead::endgame {

// Results are 0 drawn, 1 won, 2 lost; distances are plies to the end of the game.
enum class Content : std::uint32_t { results, distances };

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
//
// There are two versions: in the first the numbers are packed as `codec.hpp` says, in the second results as
// `results_codec.hpp` does, with the index in the place of the offsets.
struct Head {
    std::uint64_t fingerprint = 0;
    Content content = Content::results;
    Material material;
};

inline constexpr std::string_view table_magic{"CHTABLE\0", 8};
inline constexpr std::uint32_t version_of_numbers = 1;
inline constexpr std::uint32_t version_of_results = 2;
// Beside distances, results of more pieces are written in the second version; results alone always are.
inline constexpr int most_pieces_as_numbers = 4;

// The name of the file of a material.
std::string file_name(Material const& material, Content content);

// The content of a file, in memory at an address that eight divides.
class TableBytes {
  public:
    explicit TableBytes(std::string name) : name_{std::move(name)} {}
    TableBytes(TableBytes const&) = delete;
    TableBytes& operator=(TableBytes const&) = delete;
    virtual ~TableBytes() = default;

    std::string const& name() const { return name_; }  // as errors tell it
    virtual std::span<std::uint8_t const> all() const = 0;

  private:
    std::string name_;
};

// Where files are: a folder, or the memory of a browser.
class TableFiles {
  public:
    virtual ~TableFiles() = default;
    // Nothing where there is no such file.
    virtual std::unique_ptr<TableBytes> open(Material const& material, Content content) const = 0;
};

std::uint64_t checksum(std::span<std::uint8_t const> bytes);

// A file that is open for reading.
class TableFile {
  public:
    struct Table {
        Counts counts;
        std::uint64_t positions = 0;
        Unpacker numbers;         // in the first version
        ResultsUnpacker results;  // in the second

        Result result(std::uint64_t index) const {
            return results.is_open() ? results(index) : static_cast<Result>(numbers(index));
        }
        // Of all positions, as numbers of `Result`.
        std::vector<std::uint8_t> all_results() const;
    };

    // Fails (`Failure::table`) where it is not what is expected.
    TableFile(std::unique_ptr<TableBytes> content, Head const& expected);

    // The material itself, then the same with the sides exchanged where that is another.
    std::vector<Table> const& tables() const { return tables_; }
    std::size_t bytes() const { return content_->all().size(); }
    std::string const& name() const { return content_->name(); }

  private:
    std::unique_ptr<TableBytes> content_;
    std::vector<Table> tables_;
};

}  // namespace crownhead::endgame
