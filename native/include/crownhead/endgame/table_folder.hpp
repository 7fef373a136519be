// The files of endgame tables in a folder.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "crownhead/endgame/bad_file.hpp"
#include "crownhead/endgame/table_file.hpp"

namespace crownhead::endgame {

struct Section {
    Counts counts;
    std::uint64_t positions = 0;
    Packed packed;
};

// `material` in the folder.
std::filesystem::path path_of(std::filesystem::path const& folder, Material const& material, Content content);

// Writes a whole file or none. Throws std::filesystem::filesystem_error.
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
