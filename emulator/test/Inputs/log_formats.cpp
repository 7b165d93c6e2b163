// Prints what host programs log.
#include "ttemu/fill_in.hpp"

enum class Color { RED, GREEN };

int main() {
  using ttemu::fill_in;
  std::puts(fill_in("{} of {:#06x}: {:.2f}% {:08.3f}", 3, 255, 12.345, -1.5).c_str());
  std::puts(fill_in("{:>6}|{:<6}|{:^6}|{:*^7}|", "ab", "cd", "ef", std::string("str")).c_str());
  std::puts(fill_in("{{{}}} {:x} {:X} {:b} {:+d}", int8_t(-3), 0xbeefu, 0xbeef, 5, 4).c_str());
  std::puts(
      fill_in("{} {} {} {} {:.1e} {:5d} {}", true, 'q', 0.1f, 1e20, 1.5, 42, Color::GREEN).c_str());
  std::puts(fill_in("{1} {0}, {} and more: {}", 1, 2).c_str());
}
