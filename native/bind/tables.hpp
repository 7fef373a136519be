// The Python object of open endgame tables, which searches and trainers take as well.
#pragma once

#include <string_view>

#include "objects.hpp"

namespace crownhead::bind {

class TablesObject {
  public:
    // Raises BadTable.
    TablesObject(nb::handle variant, std::string_view folder);

    Variant const& variant() const { return *variant_; }
    endgame::Tables const& tables() const { return *tables_; }
    // Whether these tables are of that variant too.
    bool serve(Variant const& variant) const;

  private:
    VariantRef variant_;
    std::unique_ptr<endgame::Tables> tables_;
};

}  // namespace crownhead::bind
