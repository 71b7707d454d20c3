#include <iostream>

#include "engine/uci/session.h"

int main() {
  std::ios::sync_with_stdio(false);
  sittuyin::UciSession(std::cin, std::cout).Run();
}
