// What a build will take: counted, and its time measured on a slice of the largest material.
#pragma once

#include <ctime>
#include <set>

#include "crownhead/endgame/building.hpp"
#include "crownhead/endgame/needs.hpp"
#include "crownhead/endgame/table_folder.hpp"

namespace crownhead::endgame {

// The files of a material, with both sides to move.
template <class R>
std::uint64_t positions_of(R rules, Material const& material) {
    auto const one = PositionIndexer<R>{rules, material}.size();
    return material.is_even() ? one : one + PositionIndexer<R>{rules, material.turned()}.size();
}

// Bytes for each position, while a material is solved and packed.
struct BytesEach {
    static constexpr double solving_results = 1.5;
    static constexpr double solved_results = 0.25;
    static constexpr double solving_distances = 8;
    static constexpr double solved_distances = 2;
    // On disk, of American checkers with five and six pieces.
    static constexpr double stored_results = 0.02;
    static constexpr double stored_distances = 0.42;
};

// Processor time for a position, as a multiple of that for finding its moves and unmoves one position at a
// time, which is slower than all of them in a row. Measured on American checkers with five pieces and six.
struct TimesMoves {
    static constexpr double results = 0.5;
    static constexpr double distances = 1.2;
};

template <class R>
class Projector {
  public:
    Projector(R rules, BuildOptions const& options) : rules_{rules}, options_{options} {}

    Projection project(std::vector<Material> const& with_distances,
                       std::vector<Material> const& results_alone) {
        add_distances(with_distances);
        add_results(results_alone);
        if (largest_.count() > 0) {
            found_.seconds = weight_ * seconds_for_moves(largest_) / std::max(options_.threads, 1);
        }
        return found_;
    }

  private:
    bool is_there(Material const& material, Content content) const {
        return std::filesystem::exists(path_of(options_.folder, material, content));
    }

    void add_work(Material const& material, double bytes, double weight) {
        auto const positions = positions_of(rules_, material);
        ++found_.materials;
        found_.positions += positions;
        found_.bytes += static_cast<std::uint64_t>(bytes * static_cast<double>(positions));
        weight_ += weight * static_cast<double>(positions);
        if (positions > most_) {
            most_ = positions;
            largest_ = material;
        }
    }
    void take_memory(double bytes) {
        found_.memory = std::max(found_.memory, static_cast<std::uint64_t>(bytes));
    }

    void add_distances(std::vector<Material> const& todo) {
        double kept = 0;
        for (auto const& material : todo) {
            auto const positions = static_cast<double>(positions_of(rules_, material));
            kept += BytesEach::solved_distances * positions;
            if (is_there(material, Content::results) && is_there(material, Content::distances)) { continue; }
            add_work(material, BytesEach::stored_results + BytesEach::stored_distances,
                     TimesMoves::distances);
            take_memory(kept + BytesEach::solving_distances * positions);
        }
    }

    // What is kept beside the material that is solved: all that is needed again, where there is memory for
    // that, else what this one needs.
    void add_results(std::vector<Material> const& todo) {
        Needs needs{*rules_, todo};
        std::set<Material> solved;
        for (auto const& material : todo) {
            double all = 0;
            double own = 0;
            auto const wanted = successors_of_both(*rules_, material);
            std::set<Material> const direct{wanted.begin(), wanted.end()};
            solved.insert(direct.begin(), direct.end());
            for (auto const& [next, needed] : needs.all()) {
                if (needed == 0 || !solved.contains(next)) { continue; }
                auto const bytes =
                    BytesEach::solved_results * static_cast<double>(positions_of(rules_, next));
                all += bytes;
                own += direct.contains(next) ? bytes : 0;
            }
            if (!is_there(material, Content::results)) {
                auto const solving =
                    BytesEach::solving_results * static_cast<double>(positions_of(rules_, material));
                add_work(material, BytesEach::stored_results, TimesMoves::results);
                bool const fits = all + solving <= static_cast<double>(options_.memory);
                take_memory(solving + (fits ? all : own));
            }
            needs.finish(material);
            solved.insert(material);
        }
    }

    // Processor time for finding the moves and unmoves of one position, on the average of a slice.
    double seconds_for_moves(Material const& material) const {
        constexpr std::uint64_t slice = 1 << 15;
        PositionIndexer<R> const indexer{rules_, material};
        PositionIndexer<R> const before{rules_, material.turned()};
        auto const steps = std::min(slice, indexer.size());
        std::uint64_t sum = 0;
        auto const begun = std::clock();
        for (std::uint64_t i = 0; i < steps; ++i) {
            auto const number = i * (indexer.size() / steps);
            indexer.each(number, number + 1, [&](std::uint64_t, Position<R> const& position) {
                auto const visit = [&](Position<R> const& next) { sum += next.own.bits() != 0 ? 1 : 0; };
                if (auto const origins = capturing<Colour::black>(position); !origins.empty()) {
                    each_successor_by_capture(position, origins, visit);
                } else {
                    each_successor_by_quiet_move(position, visit);
                }
                each_predecessor(position, [&](Position<R> const& found) { sum += before.index(found); });
            });
        }
        auto const taken = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
        // The sum is used, so that the work is done.
        return taken / static_cast<double>(std::max<std::uint64_t>(steps, 1)) + (sum == 1 ? 1e-12 : 0);
    }

    R rules_;
    BuildOptions const& options_;
    Projection found_;
    Material largest_;
    std::uint64_t most_ = 0;
    double weight_ = 0;
};

}  // namespace crownhead::endgame
