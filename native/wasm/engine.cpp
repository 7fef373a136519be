// The engine as the page asks for it.
#include <algorithm>

#include "crownhead/endgame/table_file.hpp"
#include "crownhead/engine/features.hpp"
#include "module.hpp"

CROWNHEAD_IMPORT(report) void crownhead_report(std::int32_t const* numbers, std::size_t count);
CROWNHEAD_IMPORT(goes_on) int crownhead_goes_on();

namespace crownhead::wasm {
namespace {

// Endgame tables that the page has handed over, by the names of their files.
class Given final : public endgame::TableFiles {
  public:
    struct File {
        std::string name;
        std::vector<std::uint64_t> words;  // so that eight divides the address
        std::size_t size;
    };

    void add(File file) { files_.push_back(std::make_unique<File>(std::move(file))); }

    std::unique_ptr<endgame::TableBytes> open(endgame::Material const& material,
                                              endgame::Content content) const override {
        auto const name = endgame::file_name(material, content);
        auto const found = std::ranges::find_if(files_, [&](auto const& file) { return file->name == name; });
        return found == files_.end() ? nullptr : std::make_unique<Bytes>(**found);
    }

  private:
    class Bytes final : public endgame::TableBytes {
      public:
        explicit Bytes(File const& file) : TableBytes{file.name}, file_{file} {}
        std::span<std::uint8_t const> all() const override {
            return {reinterpret_cast<std::uint8_t const*>(file_.words.data()), file_.size};
        }

      private:
        File const& file_;
    };

    std::vector<std::unique_ptr<File>> files_;
};

Given& given() {
    static Given files;
    return files;
}

// A report as numbers: depth, selective depth, nodes (low and high word), milliseconds, lines; of each its
// score, whether it was not searched, and its moves; of each origin, target, whether it crowns, the squares
// that it takes.
std::vector<std::int32_t> numbers_of(engine::Report const& report) {
    std::vector<std::int32_t> numbers{report.depth,
                                      report.selective_depth,
                                      static_cast<std::int32_t>(report.nodes & 0xFFFF'FFFF),
                                      static_cast<std::int32_t>(report.nodes >> 32),
                                      static_cast<std::int32_t>(report.seconds * 1000),
                                      static_cast<std::int32_t>(report.lines.size())};
    for (auto const& line : report.lines) {
        numbers.insert(numbers.end(), {line.score, line.bound == engine::Bound::none ? 1 : 0,
                                       static_cast<std::int32_t>(line.moves.size())});
        for (auto const& move : line.moves) {
            numbers.insert(numbers.end(), {move.origin, move.target, move.crowns ? 1 : 0,
                                           static_cast<std::int32_t>(move.captures.size())});
            numbers.insert(numbers.end(), move.captures.begin(), move.captures.end());
        }
    }
    return numbers;
}

void tell(engine::Report const& report) {
    auto const numbers = numbers_of(report);
    crownhead_report(numbers.data(), numbers.size());
}

}  // namespace

// A search with an empty transposition table and with weights, which lie in so many bytes of the buffer: a
// pair of numbers of 16 bits for each feature, and behind them perhaps a network; 0: the material is counted.
CROWNHEAD_EXPORT(make_engine) void crownhead_make_engine(std::size_t megabytes, std::size_t size) {
    auto const features = static_cast<std::size_t>(engine::FeatureNumbers{played().row.rules}.count);
    int const squares = Layout{played().row.rules.board}.squares();
    std::string_view const bytes{reinterpret_cast<char const*>(buffer().data()), size};
    auto read = engine::Weights::read(bytes, features, squares);
    if (!read) {
        fail(Failure::rules, "expected no weights or " + std::to_string(features * 4) +
                                 " bytes of them, with or without a network, got " + std::to_string(size));
    }
    auto& here = played();
    here.searcher.reset();
    here.searcher = here.specialisation != nullptr
                        ? here.specialisation->make_searcher(megabytes, std::move(*read))
                        : here.tables.with_rules([&](auto rules) {
                              return engine::make_searcher(rules, megabytes, std::move(*read));
                          });
}

CROWNHEAD_EXPORT(clear_engine) void crownhead_clear_engine() { played().searcher->clear(); }

// Takes over a file of endgame tables: its name, then its content.
CROWNHEAD_EXPORT(add_table) void crownhead_add_table(std::size_t name, std::size_t size) {
    auto const* const at = buffer().data();
    Given::File file{
        {reinterpret_cast<char const*>(at), name}, std::vector<std::uint64_t>((size + 15) / 8), size};
    std::memcpy(file.words.data(), at + name, size);
    given().add(std::move(file));
}

// The most pieces that the tables taken over know.
CROWNHEAD_EXPORT(open_tables) int crownhead_open_tables() {
    auto& here = played();
    here.endgames = here.tables.with_rules([&](auto rules) {
        return endgame::open_tables(rules, given(), here.row.fingerprint, here.stuck_wins());
    });
    return here.endgames->most();
}

// What the tables know of the position in the buffer: -1 nothing, 0 drawn, 1 won, 2 lost; and 4 times the
// plies to the end where they are known.
CROWNHEAD_EXPORT(probe) int crownhead_probe() {
    if (!played().endgames) { return -1; }
    auto const found = played().endgames->probe(read_position(buffer().data()));
    return found ? static_cast<int>(found->result) + 4 * found->plies.value_or(0) : -1;
}

// Searches the last of so many positions in the buffer; those before it count for repetition. Each better
// report, and the last, goes to the page. 0 for `nodes`, `seconds` and `soft_seconds`: without limit.
CROWNHEAD_EXPORT(search)
void crownhead_search(std::size_t positions, int depth, double nodes, double seconds, double soft_seconds,
                      int lines, int drawn_after, int with_tables) {
    engine::Limits limits;
    limits.depth = depth;
    if (nodes > 0) { limits.nodes = static_cast<std::uint64_t>(nodes); }
    if (seconds > 0) { limits.seconds = seconds; }
    if (soft_seconds > 0) { limits.soft_seconds = soft_seconds; }
    limits.lines = lines;
    limits.drawn_after = drawn_after;
    std::vector<State> game;
    for (std::size_t i = 0; i < positions; ++i) {
        game.push_back(read_position(buffer().data() + i * size_of_position()));
    }
    engine::SearchControl control{limits, [] { return crownhead_goes_on() != 0; },
                                  with_tables != 0 ? played().endgames.get() : nullptr};
    tell(played().searcher->search(game, played().stuck_wins(), control, tell));
}

}  // namespace crownhead::wasm
