#include "engine/rules/legality.h"

#include "engine/board/attacks.h"
#include "engine/rules/movegen.h"

namespace sittuyin {
namespace {

using enum ViolationReason;

// The move as the law reads it: a soldier that stays, or under some rule sets
// steps straight back, promotes in place.
Move AsPromotionInPlace(const Position& position, Move written) {
  if (written.IsDrop() || written.IsPromotion()) return written;
  const Color us = position.side_to_move();
  const Square from = written.from();
  if (!Contains(position.Men(us, PieceType::kSoldier), from)) return written;
  const bool stays = from == written.to();
  const bool steps_back = position.laws().step_back_promotes_in_place &&
                          Bit(written.to()) == Forward(Opponent(us), Bit(from));
  return stays || steps_back ? Move::Promotion(from, from) : written;
}

// Asks of one move, in the order of the law, what may stand against it.
class Trial {
 public:
  Trial(const Position& position, Move move)
      : position_(position),
        move_(move),
        us_(position.side_to_move()),
        them_(Opponent(us_)),
        target_(Bit(move.to())) {}

  // Is there a reason? Then `fault` tells the first.
  bool FindsFault() {
    return (move_.IsDrop() ? OfDrop() : OfBoardMove()) || OfOutcome();
  }

  const Violation& fault() const { return fault_; }

 private:
  bool Found(ViolationReason reason, Bitboard squares) {
    fault_ = {reason, squares};
    return true;
  }

  Bitboard Ours() const { return position_.Men(us_); }
  Bitboard Theirs() const { return position_.Men(them_); }

  bool OfDrop() {
    const PieceType type = move_.dropped();
    if (position_.HandEmpty(us_)) return Found(kDeploymentOver, target_);
    if (position_.InHand(us_, type) == 0) return Found(kNotInHand, target_);
    if ((target_ & DeploymentZone(us_)) == 0) {
      return Found(kOutsideDeploymentZone, target_);
    }
    if (type == PieceType::kChariot && (target_ & BackRank(us_)) == 0) {
      return Found(kChariotOffBackRank, target_);
    }
    if ((target_ & position_.Occupied()) != 0) {
      return Found(kSquareOccupied, target_);
    }
    return false;
  }

  bool OfBoardMove() {
    if (MustDeploy()) return Found(kMustDeploy, target_);
    if (!Contains(position_.Occupied(), move_.from())) {
      return Found(kEmptySquare, target_);
    }
    if (!Contains(Ours(), move_.from())) return Found(kNotYourMan, target_);
    if (move_.IsPromotion()) return OfPromotion();
    return position_.TypeAt(move_.from()) == PieceType::kSoldier ? OfSoldier()
                                                                 : OfOtherMan();
  }

  bool MustDeploy() const {
    if (position_.HandEmpty(us_)) return false;
    const MoveList moves = LegalMoves(position_);
    return !moves.empty() && moves[0].IsDrop();
  }

  bool OfPromotion() {
    const Square from = move_.from();
    if (position_.TypeAt(from) != PieceType::kSoldier) {
      return Found(kOnlySoldiersPromote, target_);
    }
    const Bitboard general = position_.Men(us_, PieceType::kGeneral);
    if (general != 0) return Found(kGeneralStillAlive, general);
    if (position_.InHand(us_, PieceType::kGeneral) != 0) {
      return Found(kGeneralStillAlive, target_);
    }
    const bool last_soldier =
        Count(position_.Men(us_, PieceType::kSoldier)) == 1;
    if (!last_soldier && !Contains(PromotionSquares(us_), from)) {
      return Found(kNotOnPromotionSquare, target_);
    }
    if ((target_ & (Bit(from) | GeneralAttacks(from))) == 0) {
      return Found(kManCannotReach, target_);
    }
    if ((target_ & Theirs()) != 0) {
      return Found(kPromotionCannotCapture, target_);
    }
    if ((target_ & Ours()) != 0 && from != move_.to()) {
      return Found(kOwnManOnTarget, target_);
    }
    const Bitboard attacked = GeneralAttacks(move_.to()) & Theirs();
    if (attacked != 0) return Found(kPromotionAttacksEnemy, attacked);
    return false;
  }

  bool OfSoldier() {
    if (target_ == Forward(us_, Bit(move_.from()))) {
      if ((target_ & position_.Occupied()) != 0) {
        return Found(kSoldierAdvanceBlocked, target_);
      }
      return false;
    }
    if ((target_ & SoldierAttacks(us_, move_.from())) == 0) {
      return Found(kManCannotReach, target_);
    }
    if ((target_ & Ours()) != 0) return Found(kOwnManOnTarget, target_);
    if ((target_ & Theirs()) == 0) {
      return Found(kSoldierCaptureNeedsEnemy, target_);
    }
    return OfTakingKing();
  }

  bool OfOtherMan() {
    const Man man{us_, position_.TypeAt(move_.from())};
    if ((target_ & Attacks(man, move_.from(), 0)) == 0) {
      return Found(kManCannotReach, target_);
    }
    const Bitboard blockers =
        man.type == PieceType::kChariot
            ? Between(move_.from(), move_.to()) & position_.Occupied()
            : 0;
    if (blockers != 0) {
      const Bitboard first =
          blockers & ChariotAttacks(move_.from(), position_.Occupied());
      return Found(kPathBlocked, first);
    }
    if ((target_ & Ours()) != 0) return Found(kOwnManOnTarget, target_);
    return OfTakingKing();
  }

  // Law: no move ever captures a king. It can be aimed at only in hand-made
  // positions, by a side that still has men in hand and no drop for them.
  bool OfTakingKing() {
    if ((target_ & position_.Men(PieceType::kKing)) == 0) return false;
    return Found(kManCannotReach, target_);
  }

  // The move follows the pattern of its man; what is left is what it does.
  bool OfOutcome() {
    const Bitboard checkers = CheckersAfter();
    if (checkers != 0) {
      return Found(
          position_.InCheck() ? kDoesNotAnswerCheck : kLeavesKingInCheck,
          checkers);
    }
    if (move_.IsPromotion() && !position_.laws().promotion_may_discover_check) {
      const Bitboard discovered = DiscoveredCheckers();
      if (discovered != 0) return Found(kPromotionDiscoversCheck, discovered);
    }
    if (IsBannedStalemate(position_, move_)) {
      return Found(kMustNotStalemate, target_);
    }
    return false;
  }

  Bitboard OccupiedAfter() const {
    const Bitboard left = move_.IsDrop() ? 0 : Bit(move_.from());
    return (position_.Occupied() & ~left) | target_;
  }

  // The enemy men that give check after the move. One that it takes is none.
  Bitboard CheckersAfter() const {
    Bitboard king = position_.Men(us_, PieceType::kKing);
    if (move_.IsDrop() ? move_.dropped() == PieceType::kKing
                       : king == Bit(move_.from())) {
      king = target_;
    }
    if (king == 0) return 0;
    return position_.Attackers(them_, First(king), OccupiedAfter()) & ~target_;
  }

  // Our men whose check of the enemy king the move uncovers.
  Bitboard DiscoveredCheckers() const {
    const Bitboard king = position_.Men(them_, PieceType::kKing);
    if (king == 0) return 0;
    return position_.Attackers(us_, First(king), OccupiedAfter()) &
           ~position_.CheckersOf(them_);
  }

  const Position& position_;
  const Move move_;
  const Color us_;
  const Color them_;
  const Bitboard target_;
  Violation fault_{};
};

}  // namespace

bool IsLegal(const Position& position, Move move) {
  return move.IsWellFormed() && !Trial(position, move).FindsFault();
}

std::variant<Move, Violation> Judge(const Position& position, Move written) {
  const Move move = AsPromotionInPlace(position, written);
  Trial trial(position, move);
  if (!trial.FindsFault()) return move;
  return trial.fault();
}

}  // namespace sittuyin
