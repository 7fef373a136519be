// The files of endgame tables in a folder.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "crownhead/endgame/bad_file.hpp"
#include "crownhead/endgame/table_file.hpp"

namespace crownhead::endgame {

// What a file holds of one table; of the two sorts of packing it has one.
struct Section {
    Counts counts;
    std::uint64_t positions = 0;
    Packed packed;
    PackedResults packed_results;
};

// `material` in the folder.
std::filesystem::path path_of(std::filesystem::path const& folder, Material const& material, Content content);

// Writes a whole file or none; in the second version where the sections hold packed results. Throws
// std::filesystem::filesystem_error.
void write_table(std::filesystem::path const& path, Head const& head, std::vector<Section> const& sections);

// Maps a file into memory. Throws BadFile.
std::unique_ptr<TableBytes> map_table(std::filesystem::path const& path);

class FolderFiles final : public TableFiles {
  public:
    explicit FolderFiles(std::filesystem::path folder) : folder_{std::move(folder)} {}
    std::unique_ptr<TableBytes> open(Material const& material, Content content) const override;

  private:
    std::filesystem::path folder_;
};

}  // namespace crownhead::endgame
