// The Python object of open endgame tables, which searches and trainers take as well.
#pragma once

#include "crownhead/endgame/endgames.hpp"
#include "objects.hpp"

namespace crownhead::bind {

class TablesObject {
  public:
    // Raises BadTable.
    TablesObject(std::string_view variant, std::string_view folder);

    Variant const& variant() const { return variant_; }
    endgame::Tables const& tables() const { return *tables_; }

  private:
    Variant const& variant_;
    std::unique_ptr<endgame::Tables> tables_;
};

}  // namespace crownhead::bind
