#include "engine/rules/legality.h"

#include "engine/board/attacks.h"
#include "engine/rules/movegen.h"

namespace sittuyin {
namespace {

using enum ViolationReason;

Violation Of(ViolationReason reason, Bitboard squares) {
  Violation violation{reason, {}};
  while (squares != 0) violation.squares.push_back(PopFirst(squares));
  return violation;
}

// The intent as the law reads it: a soldier that stays, or under some rule
// sets steps straight back, promotes in place.
MoveIntent AsPromotionInPlace(const Position& position, MoveIntent intent) {
  if (intent.dropped || intent.promotes) return intent;
  const Color us = position.side_to_move();
  if (!Contains(position.Men(us, PieceType::kSoldier), intent.from)) {
    return intent;
  }
  const bool stays = intent.from == intent.to;
  const bool steps_back =
      position.laws().step_back_promotes_in_place &&
      Bit(intent.to) == Forward(Opponent(us), Bit(intent.from));
  if (stays || steps_back) {
    intent.promotes = true;
    intent.to = intent.from;
  }
  return intent;
}

Move MoveOf(const MoveIntent& intent) {
  if (intent.dropped) return Move::Drop(*intent.dropped, intent.to);
  return intent.promotes ? Move::Promotion(intent.from, intent.to)
                         : Move::Step(intent.from, intent.to);
}

// Finds the first reason against one move, asking in the order of the law.
class Explainer {
 public:
  Explainer(const Position& position, const MoveIntent& intent)
      : position_(position),
        intent_(intent),
        us_(position.side_to_move()),
        target_(Bit(intent.to)) {}

  Violation Explain() const {
    if (auto violation = intent_.dropped ? AgainstDrop() : AgainstBoardMove()) {
      return *violation;
    }
    return AgainstOutcome();
  }

 private:
  using Finding = std::optional<Violation>;

  Bitboard Ours() const { return position_.Men(us_); }
  Bitboard Theirs() const { return position_.Men(Opponent(us_)); }

  Finding AgainstDrop() const {
    const PieceType type = *intent_.dropped;
    if (position_.HandEmpty(us_)) return Of(kDeploymentOver, target_);
    if (position_.InHand(us_, type) == 0) return Of(kNotInHand, target_);
    if ((target_ & DeploymentZone(us_)) == 0) {
      return Of(kOutsideDeploymentZone, target_);
    }
    if (type == PieceType::kChariot && (target_ & BackRank(us_)) == 0) {
      return Of(kChariotOffBackRank, target_);
    }
    if ((target_ & position_.Occupied()) != 0) {
      return Of(kSquareOccupied, target_);
    }
    return std::nullopt;
  }

  Finding AgainstBoardMove() const {
    if (MustDeploy()) return Of(kMustDeploy, target_);
    if (!Contains(position_.Occupied(), intent_.from)) {
      return Of(kEmptySquare, target_);
    }
    if (!Contains(Ours(), intent_.from)) return Of(kNotYourMan, target_);
    if (intent_.promotes) return AgainstPromotion();
    return position_.TypeAt(intent_.from) == PieceType::kSoldier
               ? AgainstSoldier()
               : AgainstOtherMan();
  }

  bool MustDeploy() const {
    if (position_.HandEmpty(us_)) return false;
    const MoveList moves = LegalMoves(position_);
    return !moves.empty() && moves[0].IsDrop();
  }

  Finding AgainstPromotion() const {
    if (position_.TypeAt(intent_.from) != PieceType::kSoldier) {
      return Of(kOnlySoldiersPromote, target_);
    }
    const Bitboard general = position_.Men(us_, PieceType::kGeneral);
    if (general != 0) return Of(kGeneralStillAlive, general);
    if (position_.InHand(us_, PieceType::kGeneral) != 0) {
      return Of(kGeneralStillAlive, target_);
    }
    const bool last_soldier =
        Count(position_.Men(us_, PieceType::kSoldier)) == 1;
    if (!last_soldier && !Contains(PromotionSquares(us_), intent_.from)) {
      return Of(kNotOnPromotionSquare, target_);
    }
    const Bitboard reach = Bit(intent_.from) | GeneralAttacks(intent_.from);
    if ((target_ & reach) == 0) return Of(kManCannotReach, target_);
    if ((target_ & Theirs()) != 0) {
      return Of(kPromotionCannotCapture, target_);
    }
    if ((target_ & Ours()) != 0 && intent_.from != intent_.to) {
      return Of(kOwnManOnTarget, target_);
    }
    const Bitboard attacked = GeneralAttacks(intent_.to) & Theirs();
    if (attacked != 0) return Of(kPromotionAttacksEnemy, attacked);
    return std::nullopt;
  }

  Finding AgainstSoldier() const {
    if (target_ == Forward(us_, Bit(intent_.from))) {
      if ((target_ & position_.Occupied()) != 0) {
        return Of(kSoldierAdvanceBlocked, target_);
      }
      return std::nullopt;
    }
    if ((target_ & SoldierAttacks(us_, intent_.from)) == 0) {
      return Of(kManCannotReach, target_);
    }
    if ((target_ & Ours()) != 0) return Of(kOwnManOnTarget, target_);
    if ((target_ & Theirs()) == 0) {
      return Of(kSoldierCaptureNeedsEnemy, target_);
    }
    return AgainstTakingKing();
  }

  Finding AgainstOtherMan() const {
    const Man man{us_, position_.TypeAt(intent_.from)};
    if ((target_ & Attacks(man, intent_.from, 0)) == 0) {
      return Of(kManCannotReach, target_);
    }
    const Bitboard blockers =
        man.type == PieceType::kChariot
            ? Between(intent_.from, intent_.to) & position_.Occupied()
            : 0;
    if (blockers != 0) {
      const Bitboard first =
          blockers & ChariotAttacks(intent_.from, position_.Occupied());
      return Of(kPathBlocked, first);
    }
    if ((target_ & Ours()) != 0) return Of(kOwnManOnTarget, target_);
    return AgainstTakingKing();
  }

  // Law: no move ever captures a king. It can be aimed at only in hand-made
  // positions, by a side that still has men in hand and no drop for them.
  Finding AgainstTakingKing() const {
    if ((target_ & position_.Men(PieceType::kKing)) == 0) return std::nullopt;
    return Of(kManCannotReach, target_);
  }

  // The move follows the pattern of its man; what is left is what it does.
  Violation AgainstOutcome() const {
    Position after = position_;
    after.Make(MoveOf(intent_));
    if (const Bitboard checkers = after.CheckersOf(us_); checkers != 0) {
      return Of(position_.InCheck() ? kDoesNotAnswerCheck : kLeavesKingInCheck,
                checkers);
    }
    if (intent_.promotes && !position_.laws().promotion_may_discover_check) {
      const Color them = Opponent(us_);
      const Bitboard discovered =
          after.CheckersOf(them) & ~position_.CheckersOf(them);
      if (discovered != 0) return Of(kPromotionDiscoversCheck, discovered);
    }
    return Of(kMustNotStalemate, target_);
  }

  const Position& position_;
  const MoveIntent& intent_;
  const Color us_;
  const Bitboard target_;
};

}  // namespace

std::variant<Move, Violation> Judge(const Position& position,
                                    const MoveIntent& written) {
  if (const Move move = MoveOf(written); IsLegal(position, move)) return move;
  const MoveIntent intent = AsPromotionInPlace(position, written);
  const Move move = MoveOf(intent);
  if (IsLegal(position, move)) return move;
  return Explainer(position, intent).Explain();
}

}  // namespace sittuyin
