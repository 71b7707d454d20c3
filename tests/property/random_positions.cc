#include "tests/property/random_positions.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

namespace sittuyin::slow {
namespace {

constexpr std::string_view kMen = "FSSNNRRPPPPPPPP";

char Of(char upper, bool black) {
  return black ? static_cast<char>(std::tolower(upper)) : upper;
}

void PutAnywhere(State& state, Random& random, char man) {
  int square = random.Below(64);
  while (state.cells[square] != '.') square = random.Below(64);
  state.cells[square] = man;
}

// `count` men of a side's complement, drawn without putting back.
std::string Draw(Random& random, int count) {
  std::string pool(kMen);
  std::string drawn;
  for (int i = 0; i < count; ++i) {
    const int pick = random.Below(static_cast<int>(pool.size()));
    drawn += pool[pick];
    pool.erase(pick, 1);
  }
  return drawn;
}

void AddKings(State& state, Random& random) {
  PutAnywhere(state, random, 'K');
  PutAnywhere(state, random, 'k');
}

void AddMen(State& state, Random& random, bool black, int count) {
  for (char man : Draw(random, count)) {
    PutAnywhere(state, random, Of(man, black));
  }
}

State Crowded(Random& random) {
  State state;
  AddKings(state, random);
  AddMen(state, random, false, random.Below(16));
  AddMen(state, random, true, random.Below(16));
  return state;
}

State FewMen(Random& random) {
  State state;
  AddKings(state, random);
  AddMen(state, random, false, random.Below(4));
  AddMen(state, random, true, random.Below(3));
  return state;
}

State Cornered(Random& random) {
  static constexpr int kCorners[] = {0, 7, 56, 63};
  static constexpr int kNeighbours[][3] = {
      {1, 8, 9}, {6, 14, 15}, {48, 49, 57}, {54, 55, 62}};
  State state;
  const int corner = random.Below(4);
  state.cells[kCorners[corner]] = 'k';
  for (int square : kNeighbours[corner]) {
    if (random.OneIn(3)) state.cells[square] = random.OneIn(3) ? 's' : 'p';
  }
  PutAnywhere(state, random, 'K');
  AddMen(state, random, false, 1 + random.Below(4));
  return state;
}

State Promoting(Random& random) {
  static constexpr int kRedSquares[] = {56, 49, 42, 35, 36, 45, 54, 63};
  State state;
  const int soldiers = 1 + random.Below(3);
  for (int i = 0; i < soldiers; ++i) {
    state.cells[random.OneIn(4) ? random.Below(64)
                                : kRedSquares[random.Below(8)]] = 'P';
  }
  AddKings(state, random);
  for (char man : std::string("RRSN")) {
    if (random.OneIn(3)) PutAnywhere(state, random, man);
  }
  if (random.OneIn(8)) PutAnywhere(state, random, 'F');
  AddMen(state, random, true, random.Below(6));
  return state;
}

void MoveSomeToHand(State& state, Random& random, bool black, int one_in) {
  for (char& cell : state.cells) {
    const bool own = std::isalpha(cell) && (std::islower(cell) != 0) == black;
    if (!own || std::toupper(cell) == 'P' || !random.OneIn(one_in)) continue;
    state.hand += cell;
    cell = '.';
  }
}

State Deploying(Random& random) {
  State state = Crowded(random);
  if (!random.OneIn(4)) MoveSomeToHand(state, random, false, 2);
  if (!random.OneIn(4)) MoveSomeToHand(state, random, true, 2);
  return state;
}

State ShutOut(Random& random) {
  State state;
  AddKings(state, random);
  AddMen(state, random, true, random.Below(5));
  AddMen(state, random, false, random.Below(3));
  state.hand += random.OneIn(2) ? 'R' : 'F';
  if (random.OneIn(3)) {
    std::replace(state.cells.begin(), state.cells.end(), 'K', '.');
    state.hand = "K";
  }
  return state;
}

State OfFlavour(Random& random, Flavour flavour) {
  switch (flavour) {
    case Flavour::kCrowded:
      return Crowded(random);
    case Flavour::kFewMen:
      return FewMen(random);
    case Flavour::kCornered:
      return Cornered(random);
    case Flavour::kPromoting:
      return Promoting(random);
    case Flavour::kDeploying:
      return Deploying(random);
    case Flavour::kShutOut:
      return ShutOut(random);
  }
  return {};
}

}  // namespace

State RandomState(Random& random, Flavour flavour) {
  while (true) {
    State state = OfFlavour(random, flavour);
    if (random.OneIn(8)) state.black_to_move = true;
    if (random.OneIn(2)) state = Flipped(state);
    state.clock = random.Below(3) * random.Below(60);
    state.number = 1 + random.Below(200);
    if (Faults(state).empty()) return state;
  }
}

State RandomFaultyState(Random& random) {
  State state = Crowded(random);
  static constexpr std::string_view kLetters = "KFSNRPkfsnrp";
  const int changes = random.Below(4);
  for (int i = 0; i < changes; ++i) {
    const int square = random.Below(64);
    const char letter = kLetters[random.Below(12)];
    state.cells[square] = random.OneIn(3) ? '.' : letter;
  }
  if (random.OneIn(2))
    MoveSomeToHand(state, random, false, 1 + random.Below(3));
  if (random.OneIn(2)) MoveSomeToHand(state, random, true, 1 + random.Below(3));
  if (random.OneIn(8)) state.hand += kLetters[random.Below(12)];
  state.black_to_move = random.OneIn(2);
  return state;
}

Setup ToSetup(const State& state) {
  Setup setup;
  const auto man_of = [](char letter) {
    return Man{std::islower(letter) ? Color::kBlack : Color::kRed,
               *TypeFromLetter(letter)};
  };
  for (int s = 0; s < kSquareCount; ++s) {
    if (state.cells[s] != '.') setup.board[s] = man_of(state.cells[s]);
  }
  for (char letter : state.hand) {
    const Man man = man_of(letter);
    ++setup.hands[Index(man.color)][Index(man.type)];
  }
  setup.side_to_move = state.black_to_move ? Color::kBlack : Color::kRed;
  setup.count_limit_plies = state.count_limit;
  setup.clock_plies = state.count_limit != 0 ? state.counted : state.clock;
  setup.fullmove_number = state.number;
  return setup;
}

int Effort() {
  const char* effort = std::getenv("SITTUYIN_EFFORT");
  return effort == nullptr ? 1 : std::max(1, std::atoi(effort));
}

}  // namespace sittuyin::slow
