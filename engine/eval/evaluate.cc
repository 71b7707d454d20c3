#include "engine/eval/evaluate.h"

#include <algorithm>
#include <array>

#include "engine/eval/bare_king.h"
#include "engine/eval/placement.h"
#include "engine/rules/ending.h"

namespace sittuyin {
namespace {

// All weights are indexed by piece type.
using PhasedByType = std::array<Phased, kPieceTypeCount>;
using IntByType = std::array<int, kPieceTypeCount>;

// For each square reached that no enemy soldier guards.
constexpr PhasedByType kMobility = {
    {{0, 0}, {4, 4}, {3, 5}, {5, 5}, {5, 4}, {0, 0}}};
// Squares at which a man of average freedom neither gains nor loses.
constexpr IntByType kUsualMobility = {0, 2, 6, 3, 4, 0};
// For each square of the enemy king's surroundings that is attacked.
constexpr IntByType kPressure = {0, 2, 3, 3, 3, 1};
// How much of the middle game a man carries; 30 in all at the start.
constexpr IntByType kPhase = {0, 1, 3, 2, 2, 0};
constexpr int kFullPhase = 30;

constexpr Phased kDefendedSoldier = {5, 6};
constexpr Phased kSoldierShield = {7, 0};
constexpr Phased kHalfOpenFile = {12, 6};
constexpr Phased kOpenFile = {20, 10};
constexpr Phased kFacesKing = {14, 4};
constexpr Phased kSoldierThreat = {32, 28};
constexpr Phased kThreatToChariot = {28, 26};
constexpr Phased kLooseMan = {14, 18};
constexpr Phased kLooseSoldier = {5, 10};
constexpr Phased kTempo = {12, 8};

// By the steps a soldier still has to the promotion square of its file: what
// it hopes for while its side has no general, and what is left of that hope
// while the general lives.
constexpr std::array<Phased, 5> kProspect = {
    {{60, 80}, {42, 55}, {26, 36}, {14, 22}, {6, 12}}};
constexpr int kProspectShareWithGeneral = 6;  // One sixth.
constexpr Phased kPastPromotion = {-12, -25};

// The squares from which a soldier of `color` still advances to the promotion
// square of its file in exactly `steps` steps.
constexpr Bitboard PromotionApproach(Color color, int steps) {
  Bitboard set = PromotionSquares(color);
  for (int i = 0; i < steps; ++i) set = Forward(Opponent(color), set);
  return set;
}
// The squares beyond those of promotion.
constexpr Bitboard BeyondPromotion(Color color) {
  Bitboard set = 0;
  for (Bitboard front = Forward(color, PromotionSquares(color)); front != 0;
       front = Forward(color, front)) {
    set |= front;
  }
  return set;
}

// What a side's men do on the board.
struct Activity {
  Bitboard all = 0;       // Every square attacked, own men included.
  Bitboard soldiers = 0;  // Attacked by soldiers.
  Bitboard minor = 0;     // Attacked by generals, elephants, horses.
  int pressure = 0;       // Weighted attacks around the enemy king.
  int aggressors = 0;     // Men that take part in them.
  Phased worth;
};

class Evaluation {
 public:
  explicit Evaluation(const Position& position) : position_(position) {}

  // From Red's side.
  Value Run() {
    for (const Color color : kColors) LookAtMen(color);
    Phased sum;
    for (const Color color : kColors) {
      Phased side = activity_[Index(color)].worth;
      side += Soldiers(color);
      side += Chariots(color);
      side += Threats(color);
      side += KingSafety(color);
      if (color == Color::kRed) {
        sum += side;
      } else {
        sum -= side;
      }
    }
    if (position_.side_to_move() == Color::kRed) {
      sum += kTempo;
    } else {
      sum -= kTempo;
    }
    const int phase = std::min(phase_, kFullPhase);
    return (sum.middle * phase + sum.end * (kFullPhase - phase)) / kFullPhase;
  }

 private:
  // Material, placement, mobility and attacks of each man. A man in hand
  // counts as one placed neither well nor badly.
  void LookAtMen(Color color) {
    Activity& activity = activity_[Index(color)];
    const Color enemy = Opponent(color);
    const Bitboard occupied = position_.Occupied();
    const Bitboard guarded =
        SoldierAttacks(enemy, position_.Men(enemy, PieceType::kSoldier));
    const Bitboard room = ~position_.Men(color) & ~guarded;
    const Bitboard target = position_.Men(enemy, PieceType::kKing);
    const Bitboard zone = target | KingAttacks(target);

    for (const PieceType type : kPieceTypes) {
      const int in_hand = position_.InHand(color, type);
      activity.worth += kManValues[Index(type)] * in_hand;
      phase_ += kPhase[Index(type)] * in_hand;
      Bitboard men = position_.Men(color, type);
      while (men != 0) {
        const Square square = PopFirst(men);
        const Man man{color, type};
        const Bitboard attacks = Attacks(man, square, occupied);
        activity.worth += kManValues[Index(type)];
        activity.worth += Placement(man, square);
        activity.worth += kMobility[Index(type)] *
                          (Count(attacks & room) - kUsualMobility[Index(type)]);
        activity.all |= attacks;
        if (type == PieceType::kSoldier) activity.soldiers |= attacks;
        if (IsMinor(type)) activity.minor |= attacks;
        if (const int hits = Count(attacks & zone);
            hits > 0 && type != PieceType::kKing) {
          activity.pressure += kPressure[Index(type)] * hits;
          ++activity.aggressors;
        }
        phase_ += kPhase[Index(type)];
      }
    }
  }

  static constexpr bool IsMinor(PieceType type) {
    return type == PieceType::kGeneral || type == PieceType::kElephant ||
           type == PieceType::kHorse;
  }

  Phased Soldiers(Color color) const {
    const Bitboard soldiers = position_.Men(color, PieceType::kSoldier);
    Phased sum =
        kDefendedSoldier * Count(soldiers & activity_[Index(color)].soldiers);
    if (soldiers == 0) return sum;
    sum += kPastPromotion * Count(soldiers & BeyondPromotion(color));
    sum += Prospects(color, soldiers);
    return sum;
  }

  // Only one soldier at a time becomes a general, so the nearest counts in
  // full and a second one as a reserve. A last soldier promotes anywhere.
  Phased Prospects(Color color, Bitboard soldiers) const {
    const bool has_general = position_.Men(color, PieceType::kGeneral) != 0 ||
                             position_.InHand(color, PieceType::kGeneral) > 0;
    Phased best, reserve;
    int found = 0;
    if (!MoreThanOne(soldiers)) {
      best = kProspect[0];
    } else {
      for (int steps = 0; steps < 5 && found < 2; ++steps) {
        const int here = Count(soldiers & PromotionApproach(color, steps));
        if (here > 0 && found == 0) best = kProspect[steps];
        if (here > (found == 0 ? 1 : 0)) {
          reserve = kProspect[steps];
        }
        found += here;
      }
    }
    Phased sum = {best.middle + reserve.middle / 4, best.end + reserve.end / 4};
    if (has_general) {
      sum = {sum.middle / kProspectShareWithGeneral,
             sum.end / kProspectShareWithGeneral};
    }
    return sum;
  }

  Phased Chariots(Color color) const {
    const Bitboard own = position_.Men(color, PieceType::kSoldier);
    const Bitboard theirs = position_.Men(Opponent(color), PieceType::kSoldier);
    const Bitboard king = position_.Men(Opponent(color), PieceType::kKing);
    Phased sum;
    Bitboard chariots = position_.Men(color, PieceType::kChariot);
    while (chariots != 0) {
      const Bitboard file = FileSet(FileOf(PopFirst(chariots)));
      if ((file & own) != 0) continue;
      sum += (file & theirs) == 0 ? kOpenFile : kHalfOpenFile;
      if ((file & king) != 0) sum += kFacesKing;
    }
    return sum;
  }

  // What `color` attacks with profit.
  Phased Threats(Color color) const {
    const Activity& own = activity_[Index(color)];
    const Activity& theirs = activity_[Index(Opponent(color))];
    const Color enemy = Opponent(color);
    const Bitboard soldiers = position_.Men(enemy, PieceType::kSoldier);
    const Bitboard chariots = position_.Men(enemy, PieceType::kChariot);
    const Bitboard officers = position_.Men(enemy) & ~soldiers &
                              ~position_.Men(enemy, PieceType::kKing);
    const Bitboard loose = own.all & ~theirs.all;
    Phased sum = kSoldierThreat * Count(officers & own.soldiers);
    sum += kThreatToChariot * Count(chariots & own.minor);
    sum += kLooseMan * Count(officers & loose);
    sum += kLooseSoldier * Count(soldiers & loose);
    return sum;
  }

  // Shelter of `color`'s king less the pressure on it.
  Phased KingSafety(Color color) const {
    const Bitboard king = position_.Men(color, PieceType::kKing);
    if (king == 0) return {};
    const Bitboard ahead = Forward(color, king | East(king) | West(king));
    const Bitboard shield = (ahead | Forward(color, ahead)) &
                            position_.Men(color, PieceType::kSoldier);
    Phased sum = kSoldierShield * std::min(Count(shield), 3);
    const Activity& enemy = activity_[Index(Opponent(color))];
    if (enemy.aggressors > 1) {
      constexpr int kWorst = 400;
      const int danger = std::min(enemy.pressure * enemy.pressure / 3, kWorst);
      sum -= {danger, danger / 8};
    }
    return sum;
  }

  const Position& position_;
  std::array<Activity, 2> activity_;
  int phase_ = 0;
};

// Without a soldier a small plus is hard to win: what is left against it may
// be a fortress or give itself up for the last attacker.
bool HardToWin(const Position& position, Color strong) {
  constexpr Value kEnough = 400;
  if (position.Men(strong, PieceType::kSoldier) != 0) return false;
  Value lead = 0;
  for (const PieceType type : kPieceTypes) {
    const Color weak = Opponent(strong);
    if (type == PieceType::kSoldier) continue;
    lead += ManValue(type) *
            (Count(position.Men(strong, type)) + position.InHand(strong, type) -
             Count(position.Men(weak, type)) - position.InHand(weak, type));
  }
  return lead < kEnough;
}

// Fades as the clock runs towards a draw, so that progress looks better than
// waiting.
Value FadedByClock(const Position& position, Value value) {
  if (position.laws().hundred_plies == DrawRule::kNone) return value;
  constexpr int kGrace = 20;
  const int clock =
      std::clamp(position.halfmove_clock() - kGrace, 0, kClockLimitPlies);
  return value * (2 * kClockLimitPlies - clock) / (2 * kClockLimitPlies);
}

Value FromRed(const Position& position) {
  for (const Color color : kColors) {
    if (!IsBare(position, Opponent(color))) continue;
    if (IsBare(position, color)) return kDrawValue;
    const Value value = EvaluateChase(position, color);
    return color == Color::kRed ? value : -value;
  }
  const Value value = Evaluation(position).Run();
  const Color strong = value > 0 ? Color::kRed : Color::kBlack;
  return HardToWin(position, strong) ? value / 4 : value;
}

}  // namespace

Value Evaluate(const Position& position) {
  const Value red = FadedByClock(position, FromRed(position));
  const Value own = position.side_to_move() == Color::kRed ? red : -red;
  return std::clamp(own, -kMaxEvaluation, kMaxEvaluation);
}

}  // namespace sittuyin
