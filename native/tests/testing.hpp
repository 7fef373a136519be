// A test is a sentence and a function; the first expectation that fails ends it.
#pragma once

#include <cstdio>
#include <exception>
#include <initializer_list>
#include <source_location>
#include <stdexcept>
#include <string>

namespace crownhead::testing {

struct Test {
    char const* sentence;
    void (*run)();
};

inline void expect(bool holds, std::source_location const& where = std::source_location::current()) {
    if (!holds) {
        throw std::runtime_error(std::string{where.file_name()} + ":" + std::to_string(where.line()) +
                                 ": does not hold");
    }
}

template <class T>
void expect_equal(T const& got, T const& expected,
                  std::source_location const& where = std::source_location::current()) {
    if (got != expected) {
        throw std::runtime_error(std::string{where.file_name()} + ":" + std::to_string(where.line()) +
                                 ": expected " + std::to_string(expected) + ", got " + std::to_string(got));
    }
}

// The exit status of a test program.
inline int run(std::initializer_list<Test> tests) {
    int failures = 0;
    for (auto const& test : tests) {
        try {
            test.run();
        } catch (std::exception const& failure) {
            ++failures;
            std::fprintf(stderr, "FAILED %s\n       %s\n", test.sentence, failure.what());
        }
    }
    std::printf("%zu tests, %d failed\n", tests.size(), failures);
    return failures == 0 ? 0 : 1;
}

}  // namespace crownhead::testing
