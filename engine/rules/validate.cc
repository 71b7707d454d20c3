#include "engine/rules/validate.h"

#include <array>

#include "engine/board/attacks.h"
#include "engine/board/bitboard.h"

namespace sittuyin {
namespace {

constexpr std::array<std::string_view, 11> kFaultNames = {
    "NO_KING",
    "TOO_MANY_KINGS",
    "TOO_MANY_GENERALS",
    "TOO_MANY_ELEPHANTS",
    "TOO_MANY_HORSES",
    "TOO_MANY_CHARIOTS",
    "TOO_MANY_SOLDIERS",
    "SOLDIER_IN_HAND",
    "KINGS_ADJACENT",
    "OPPONENT_IN_CHECK",
    "HAND_CANNOT_BE_DROPPED"};

struct MenLimit {
  PieceType type;
  SetupFault fault;
  std::string_view plural;
};
// In the order of the faults.
constexpr std::array<MenLimit, 6> kMenLimits = {{
    {PieceType::kKing, SetupFault::kTooManyKings, "kings"},
    {PieceType::kGeneral, SetupFault::kTooManyGenerals, "generals"},
    {PieceType::kElephant, SetupFault::kTooManyElephants, "elephants"},
    {PieceType::kHorse, SetupFault::kTooManyHorses, "horses"},
    {PieceType::kChariot, SetupFault::kTooManyChariots, "chariots"},
    {PieceType::kSoldier, SetupFault::kTooManySoldiers, "soldiers"},
}};

std::string_view SideName(Color color) {
  return color == Color::kRed ? "Red" : "Black";
}

// The men of a setup as bitboards; several kings are allowed here.
class Placement {
 public:
  explicit Placement(const Setup& setup) : setup_(setup) {
    for (int i = 0; i < kSquareCount; ++i) {
      if (const auto& man = setup.board[i]) {
        men_[Index(man->color)][Index(man->type)] |= Bitboard{1} << i;
        occupied_ |= Bitboard{1} << i;
      }
    }
  }

  Bitboard Men(Color color, PieceType type) const {
    return men_[Index(color)][Index(type)];
  }
  Bitboard occupied() const { return occupied_; }
  int InHand(Color color, PieceType type) const {
    return setup_.hands[Index(color)][Index(type)];
  }
  int Owned(Color color, PieceType type) const {
    return Count(Men(color, type)) + InHand(color, type);
  }
  int Deployable(Color color) const {
    int count = 0;
    for (PieceType type : kDeployedTypes) count += InHand(color, type);
    return count;
  }

  // Where the men of `color` other than its king attack.
  Bitboard AttackedBy(Color color) const {
    Bitboard attacked = 0;
    for (PieceType type : kPieceTypes) {
      if (type == PieceType::kKing) continue;
      Bitboard men = Men(color, type);
      while (men != 0) {
        attacked |= Attacks(Man{color, type}, PopFirst(men), occupied_);
      }
    }
    return attacked;
  }

 private:
  const Setup& setup_;
  std::array<std::array<Bitboard, kPieceTypeCount>, 2> men_{};
  Bitboard occupied_ = 0;
};

void FindMissingKings(const Placement& placement,
                      std::vector<SetupProblem>& problems) {
  for (Color color : kColors) {
    if (placement.Owned(color, PieceType::kKing) != 0) continue;
    problems.push_back({SetupFault::kNoKing, color,
                        std::string(SideName(color)) +
                            " has no king; give it one, on the board or in "
                            "hand."});
  }
}

void FindTooManyMen(const Placement& placement,
                    std::vector<SetupProblem>& problems) {
  for (const MenLimit& limit : kMenLimits) {
    for (Color color : kColors) {
      const int owned = placement.Owned(color, limit.type);
      const int most = FullComplement(limit.type);
      if (owned <= most) continue;
      problems.push_back({limit.fault, color,
                          std::string(SideName(color)) + " has " +
                              std::to_string(owned) + " " +
                              std::string(limit.plural) +
                              ", board and hand together; it may have " +
                              std::to_string(most) + "."});
    }
  }
}

void FindSoldiersInHand(const Placement& placement,
                        std::vector<SetupProblem>& problems) {
  for (Color color : kColors) {
    if (placement.InHand(color, PieceType::kSoldier) == 0) continue;
    problems.push_back({SetupFault::kSoldierInHand, color,
                        std::string(SideName(color)) +
                            " has a soldier in hand; soldiers stand on the "
                            "board or are captured."});
  }
}

void FindKingFaults(const Placement& placement, Color side_to_move,
                    std::vector<SetupProblem>& problems) {
  const Color waiting = Opponent(side_to_move);
  if ((KingAttacks(placement.Men(Color::kRed, PieceType::kKing)) &
       placement.Men(Color::kBlack, PieceType::kKing)) != 0) {
    problems.push_back({SetupFault::kKingsAdjacent, std::nullopt,
                        "The kings stand side by side; leave at least one "
                        "square between them."});
  }
  const Bitboard attacked = placement.AttackedBy(side_to_move) &
                            placement.Men(waiting, PieceType::kKing);
  if (attacked != 0 && placement.Deployable(side_to_move) == 0) {
    problems.push_back({SetupFault::kOpponentInCheck, waiting,
                        std::string(SideName(waiting)) + "'s king on " +
                            Name(First(attacked)) + " is in check, but it is " +
                            std::string(SideName(side_to_move)) +
                            "'s turn; give the turn to the side in check."});
  }
}

// Law: a hand that can no longer be dropped in full is refused. Chariots need
// the first rank, the others any square of the zone.
void FindUndroppableHands(const Placement& placement,
                          std::vector<SetupProblem>& problems) {
  for (Color color : kColors) {
    const Bitboard empty = DeploymentZone(color) & ~placement.occupied();
    if (placement.InHand(color, PieceType::kChariot) <=
            Count(empty & BackRank(color)) &&
        placement.Deployable(color) <= Count(empty)) {
      continue;
    }
    problems.push_back({SetupFault::kHandCannotBeDropped, color,
                        std::string(SideName(color)) +
                            " has more men in hand than empty squares to drop "
                            "them on."});
  }
}

}  // namespace

std::string_view FaultName(SetupFault fault) {
  return kFaultNames[static_cast<std::size_t>(fault)];
}

std::vector<SetupProblem> ValidateSetup(const Setup& setup) {
  const Placement placement(setup);
  std::vector<SetupProblem> problems;
  FindMissingKings(placement, problems);
  FindTooManyMen(placement, problems);
  FindSoldiersInHand(placement, problems);
  FindKingFaults(placement, setup.side_to_move, problems);
  FindUndroppableHands(placement, problems);
  return problems;
}

}  // namespace sittuyin
