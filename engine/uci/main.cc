// sittuyin_uci: the player for chess programs' windows, by UCI on the standard
// streams.
#include <iostream>

#include "engine/uci/session.h"

int main(int argc, char**) {
  if (argc > 1) {
    std::cerr << "sittuyin_uci takes no arguments; it reads UCI from standard "
                 "input, such as: uci, position startpos, go movetime 1000\n";
    return 2;
  }
  std::ios::sync_with_stdio(false);
  sittuyin::UciSession(std::cin, std::cout).Run();
}
