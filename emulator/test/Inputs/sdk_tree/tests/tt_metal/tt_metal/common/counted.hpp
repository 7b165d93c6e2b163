// What several suites share.
#pragma once
#include <iostream>
struct Counted {
  int wrong = 0;
  void expect(bool right, const char *what) {
    if (!right) std::cerr << what << '\n', ++wrong;
  }
};
