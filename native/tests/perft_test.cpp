// Perft of every variant against the counts in suites/perft: perft_test <folder> <largest count>.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "fen.hpp"
#include "rows.hpp"

using namespace crownhead;

namespace {

struct Line {
    std::string fen;
    int depth;
    std::uint64_t nodes;
};

// `position <FEN>`, then `<depth> <nodes>` for it; every other line that begins with a letter or # is a
// comment.
std::vector<Line> read_suite(std::filesystem::path const& path) {
    std::ifstream file{path};
    std::vector<Line> lines;
    std::string fen;
    for (std::string text; std::getline(file, text);) {
        std::istringstream words{text};
        int depth = 0;
        std::uint64_t nodes = 0;
        if (text.starts_with("position ")) {
            fen = text.substr(text.find(' ') + 1);
        } else if (words >> depth >> nodes) {
            lines.push_back({fen, depth, nodes});
        }
    }
    return lines;
}

bool agrees(Variant const& variant, Line const& line, bool bulk) {
    auto const& laws = variant.laws();
    auto const count = laws.perft(testing::state_of(laws, line.fen), line.depth, bulk, Patience{});
    if (count.halt == Halt::none && count.nodes == line.nodes) { return true; }
    std::cerr << variant.row().key << (variant.is_specialised() ? " by its own code " : " as a value ")
              << line.fen << " depth " << line.depth << ": expected " << line.nodes << ", got " << count.nodes
              << (bulk ? " in bulk\n" : " leaf by leaf\n");
    return false;
}

struct Tally {
    int lines = 0;
    int failures = 0;
};

void check_variant(Variant const& variant, std::filesystem::path const& suite, std::uint64_t most,
                   Tally& tally) {
    for (auto const& line : read_suite(suite)) {
        if (line.nodes > most) { continue; }
        ++tally.lines;
        if (!agrees(variant, line, true) || !agrees(variant, line, false)) { ++tally.failures; }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: perft_test <folder of suites> <largest count>\n";
        return 2;
    }
    Tally tally;
    testing::each_variant([&](Variant const& variant) {
        auto const suite = std::filesystem::path{argv[1]} / (variant.row().key + ".perft");
        if (!std::filesystem::exists(suite)) {
            std::cerr << "expected a suite " << suite << '\n';
            ++tally.failures;
            return;
        }
        check_variant(variant, suite, std::stoull(argv[2]), tally);
    });
    std::cout << tally.lines << " counts, " << tally.failures << " failed\n";
    return tally.failures == 0 && tally.lines > 0 ? 0 : 1;
}
