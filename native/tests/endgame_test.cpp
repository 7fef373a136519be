// Endgame tables from the index of a position to files: small ones of every variant; also run under the
// sanitizers.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "crownhead/endgame/rule_set_endgames.hpp"
#include "rows.hpp"
#include "rule_sets.hpp"
#include "testing.hpp"

namespace {

using namespace crownhead;
using namespace crownhead::endgame;
using crownhead::testing::expect;
using crownhead::testing::expect_equal;

std::filesystem::path temporary() {
    auto const path = std::filesystem::temp_directory_path() / "crownhead-endgame-XXXXXX";
    auto name = path.string();
    if (mkdtemp(name.data()) == nullptr) { throw std::runtime_error("no temporary folder"); }
    return name;
}

template <Rules Value>
void number_all(Material const& material) {
    auto const rules = testing::both_paths<Value>().rules();
    using R = typename testing::BothPaths<Value>::Values;
    PositionIndexer<R> const indexer{rules, material};
    std::uint64_t next = 0;
    indexer.each(0, indexer.size(), [&](std::uint64_t index, Position<R> const& position) {
        expect(index >= next);
        expect_equal(indexer.index(position), index);
        expect(indexer.position(index) == position);
        expect(material_of(position) == material);
        expect(turned(turned(position)) == position);
        next = index + 1;
    });
    // Iteration from any index comes to the same positions.
    for (std::uint64_t begin = 0; begin < indexer.size(); begin += 97) {
        indexer.each(begin, std::min(begin + 3, indexer.size()),
                     [&](std::uint64_t index, auto const& position) {
                         expect(index >= begin);
                         expect(indexer.position(index) == position);
                     });
    }
}

void numbers_and_positions_belong_together() {
    number_all<testing::short_kings>({{1, 0, 0}, {0, 1, 0}});
    number_all<testing::short_kings>({{0, 2, 0}, {0, 1, 0}});
    number_all<testing::short_kings>({{2, 0, 0}, {1, 0, 0}});
    number_all<testing::most_pass_12>({{1, 0, 0}, {0, 1, 0}});
    number_all<testing::with_mules(testing::short_kings)>({{0, 1, 1}, {0, 0, 1}});
}

void what_is_packed_can_be_read_anywhere() {
    std::mt19937 dice{7};
    for (int round = 0; round < 40; ++round) {
        std::size_t const size = 1 + dice() % 3000;
        auto const kinds = 1 + dice() % (round % 2 == 0 ? 4 : 300);
        std::vector<std::uint16_t> numbers(size);
        for (std::size_t i = 0; i < size;) {
            auto const number = dice() % 5 == 0 ? dont_care : static_cast<std::uint16_t>(dice() % kinds);
            for (auto run = dice() % (round < 20 ? 2 : 700) + 1; run > 0 && i < size; --run) {
                numbers[i++] = number;
            }
        }
        auto packed = pack(numbers);
        packed.bytes.resize(packed.bytes.size() + 8);
        Unpacker const unpacker{packed.lengths, packed.offsets.data(), packed.bytes.data()};
        auto const all = unpacker.all(size);
        expect_equal(all.size(), size);
        for (std::size_t i = 0; i < size; ++i) {
            expect(numbers[i] == dont_care || numbers[i] == all[i]);
            expect_equal(unpacker(i), all[i]);
        }
    }
}

void results_that_are_packed_can_be_read_anywhere() {
    std::mt19937 dice{11};
    for (int round = 0; round < 40; ++round) {
        std::size_t const size = 1 + dice() % 90'000;
        std::vector<std::uint8_t> results(size);
        for (std::size_t i = 0; i < size;) {
            auto const result = static_cast<std::uint8_t>(dice() % 4);
            for (auto run = dice() % (round < 20 ? 3 : 5000) + 1; run > 0 && i < size; --run) {
                results[i++] = result;
            }
        }
        auto const packed = pack_results(results);
        expect_equal(packed.index.size(), results_index_size(size));
        expect(ResultsUnpacker::is_code(packed.lengths));
        expect(ResultsUnpacker::fits(packed.index.data(), size, packed.bytes.size()));
        expect(!ResultsUnpacker::fits(packed.index.data(), size, packed.bytes.size() - results_slack));
        ResultsUnpacker const unpacker{packed.lengths, packed.index.data(), packed.bytes.data()};
        auto const all = unpacker.all(size);
        for (std::size_t i = 0; i < size; ++i) {
            expect(results[i] == any_result || results[i] == all[i]);
            expect_equal(static_cast<std::uint8_t>(unpacker(i)), all[i]);
        }
    }
}

// A game between two kings ends at once, and its training data has the labels of the tables.
void expect_table_labels(Variant const& variant, Tables const& tables) {
    State state{};
    state.own = variant.laws().bit(variant.row().black.front());
    state.theirs = variant.laws().bit(variant.row().white.front());
    state.kings = state.own | state.theirs;
    state.turn = Colour::black;
    auto const trainer = variant.make_trainer();
    engine::SelfPlayOptions self_play;
    self_play.games = 1;
    self_play.nodes = 30;
    self_play.random_plies = 0;
    self_play.stuck_wins = variant.stuck_wins();
    self_play.table_labels.tables = &tables;
    auto const samples = trainer->play({state}, {}, self_play, {});
    expect(samples.size() <= trainer->sample_size());
    engine::FitOptions fit;
    fit.epochs = 1;
    fit.stuck_wins = self_play.stuck_wins;
    fit.table_labels.tables = &tables;
    expect_equal(trainer->fit({samples}, fit).relabelled * trainer->sample_size(), samples.size());
}

// Tables are those of the path that takes any rules; a searcher by the fast one reads them too.
void tables_of_every_variant_agree_with_themselves() {
    auto const folder = temporary();
    for (auto const& row : testing::rows()) {
        Variant const variant{row};
        if (!variant.table_support().possible || row.tables_key != row.key) { continue; }
        std::uint64_t wrong = 0;
        std::uint64_t checked = 0;
        BuildOptions options{
            .folder = folder / row.key, .pieces = 2, .distances = 2, .threads = 2, .on_stage = {}};
        options.on_stage = [&](Stage const& stage) {
            wrong += stage.wrong;
            checked += stage.checked;
            return true;
        };
        variant.build_tables(options);
        variant.verify_tables(options);
        expect_equal(wrong, std::uint64_t{0});
        expect(checked > 0);
        auto const tables = variant.open_tables(options.folder);
        expect_equal(tables->most(), 2);
        expect_table_labels(variant, *tables);
    }
    std::filesystem::remove_all(folder);
}

// Of every position, those of results alone say what those with distances say, without the distances.
template <class R>
void expect_the_same_results(R rules, Tables const& exact, Tables const& bare, int pieces) {
    std::uint64_t compared = 0;
    for (auto const& material : materials_up_to(2, pieces, rules)) {
        for (auto const& side : {material, material.turned()}) {
            PositionIndexer<R> const indexer{rules, side};
            indexer.each(0, indexer.size(), [&](std::uint64_t, Position<R> const& position) {
                for (auto const& state :
                     {pack<Colour::black>(position), pack<Colour::white>(turned(position))}) {
                    auto const expected = exact.probe(state);
                    auto const found = bare.probe(state);
                    expect(expected.has_value() && found.has_value());
                    expect(expected->result == found->result);
                    ++compared;
                }
            });
        }
    }
    expect(compared > 0);
}

// How many pieces the tables of a variant have that are compared, if they are. Where rules are values alone,
// which is all the same code, a few shapes of boards and pieces do.
int pieces_to_compare(VariantRow const& row) {
#ifdef CROWNHEAD_TEST_VALUES_ONLY
    if (row.key == "american") { return 3; }
    auto const others = {"canadian", "turkish", "mule"};
    return std::ranges::find(others, row.key) != others.end() ? 2 : 0;
#else
    return row.key == "american" || row.key == "mule" ? 3 : 2;
#endif
}

void results_alone_are_those_of_the_tables_with_distances() {
    auto const folder = temporary();
    for (auto const& row : testing::rows()) {
        Variant const variant{row};
        if (!variant.table_support().possible || row.tables_key != row.key) { continue; }
        int const pieces = pieces_to_compare(row);
        if (pieces == 0) { continue; }
        for (int const distances : {0, pieces - 1, pieces}) {
            variant.build_tables({.folder = folder / row.key / std::to_string(distances),
                                  .pieces = pieces,
                                  .distances = distances,
                                  .memory = 1,  // so that nothing is kept that is not needed at once
                                  .threads = 2,
                                  .on_stage = {}});
        }
        auto const exact = variant.open_tables(folder / row.key / std::to_string(pieces));
        RuleTables const rules{row.rules};
        for (int const distances : {0, pieces - 1}) {
            auto const bare = variant.open_tables(folder / row.key / std::to_string(distances));
            rules.with_rules([&](auto of) { expect_the_same_results(of, *exact, *bare, pieces); });
        }
    }
    std::filesystem::remove_all(folder);
}

// Of king against king, one result that is stored is made another.
void make_one_result_wrong(VariantRow const& row, std::filesystem::path const& folder) {
    Material const material{{1, 0, 0}, {1, 0, 0}};
    Head const head{row.fingerprint, Content::results, material};
    auto const path = path_of(folder, material, Content::results);
    Section section;
    {
        TableFile const file{map_table(path), head};
        auto const& table = file.tables().front();
        auto results = table.all_results();
        RuleTables const rules{row.rules};
        rules.with_rules([&]<class R>(R of) {
            bool done = false;
            PositionIndexer<R>{of, material}.each(
                0, results.size(), [&](std::uint64_t index, Position<R> const& position) {
                    if (done || !capturing<Colour::black>(position).empty()) { return; }
                    results[index] = static_cast<std::uint8_t>((results[index] + 1) % 3);
                    done = true;
                });
        });
        section = {table.counts, table.positions, {}, pack_results(results)};
    }
    write_table(path, head, {section});
}

void a_wrong_result_is_found() {
    auto const folder = temporary();
    for (auto const& row : testing::rows()) {
        if (row.key != "american") { continue; }
        Variant const variant{row};
        std::uint64_t wrong = 0;
        BuildOptions options{.folder = folder, .pieces = 2, .distances = 0, .on_stage = {}};
        options.on_stage = [&](Stage const& stage) {
            wrong += stage.wrong;
            return true;
        };
        variant.build_tables(options);
        variant.verify_tables(options);
        expect_equal(wrong, std::uint64_t{0});
        make_one_result_wrong(row, folder);
        variant.verify_tables(options);
        expect(wrong > 0);
    }
    std::filesystem::remove_all(folder);
}

}  // namespace

int main() {
    return testing::run({
        {"numbers and positions belong together", numbers_and_positions_belong_together},
        {"what is packed can be read anywhere", what_is_packed_can_be_read_anywhere},
        {"results that are packed can be read anywhere", results_that_are_packed_can_be_read_anywhere},
        {"results alone are those of the tables with distances",
         results_alone_are_those_of_the_tables_with_distances},
        {"a wrong result is found", a_wrong_result_is_found},
        {"tables of every variant agree with themselves", tables_of_every_variant_agree_with_themselves},
    });
}
