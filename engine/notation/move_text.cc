#include "engine/notation/move_text.h"

#include <optional>
#include <vector>

#include "engine/board/attacks.h"
#include "engine/rules/legality.h"
#include "engine/rules/movegen.h"

namespace sittuyin {
namespace {

// A SAN board move as written: what is not written is not there.
struct San {
  PieceType type = PieceType::kSoldier;
  bool names_man = false;  // The letter of the man is written.
  std::optional<int> file;
  std::optional<int> rank;
  Square to{};
  bool promotes = false;
};

constexpr bool IsFile(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool IsRank(char c) { return c >= '1' && c <= '8'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

bool IsGeneralLetter(char c) {
  return TypeFromLetter(c) == PieceType::kGeneral;
}

// `K@e1`, in any letter case for the man; `e4e5`, `d5e6f`. No move for any
// other text.
Move ParseUci(std::string_view text) {
  const bool promotes = text.size() == 5 && IsGeneralLetter(text[4]);
  if (text.size() != 4 && !promotes) return {};
  const auto to = SquareFromName(text.substr(2, 2));
  if (!to) return {};
  if (text[1] == '@' && !promotes) {
    const auto type = TypeFromLetter(text[0]);
    return type ? Move::Drop(*type, *to) : Move();
  }
  const auto from = SquareFromName(text.substr(0, 2));
  if (!from) return {};
  return promotes ? Move::Promotion(*from, *to) : Move::Step(*from, *to);
}

// `Nf3`, `N1xd2`, `exd6`, `d5=F`, `d5e6=F`; `x` and `=` may be missing.
std::optional<San> ParseSan(std::string_view text) {
  San san;
  if (!text.empty() && IsUpper(text.front())) {
    const auto type = TypeFromLetter(text.front());
    if (!type) return std::nullopt;
    san.type = *type;
    san.names_man = true;
    text.remove_prefix(1);
  }
  if (text.size() >= 2 && IsGeneralLetter(text.back())) {
    san.promotes = true;
    text.remove_suffix(1);
    if (text.back() == '=') text.remove_suffix(1);
  }
  if (text.size() < 2) return std::nullopt;
  const auto to = SquareFromName(text.substr(text.size() - 2));
  if (!to) return std::nullopt;
  san.to = *to;
  text.remove_suffix(2);
  const bool takes = !text.empty() && text.back() == 'x';
  if (takes) text.remove_suffix(1);
  if (!text.empty() && IsFile(text.front())) {
    san.file = text.front() - 'a';
    text.remove_prefix(1);
  }
  if (!text.empty() && IsRank(text.front())) {
    san.rank = text.front() - '1';
    text.remove_prefix(1);
  }
  // A soldier that takes is written with its file.
  if (!text.empty() ||
      (takes && san.type == PieceType::kSoldier && !san.file)) {
    return std::nullopt;
  }
  return san;
}

// A move in UCI, a board move in SAN, or no move at all.
using Parsed = std::variant<Move, San>;

Parsed Parse(std::string_view text) {
  if (!text.empty() && (text.back() == '+' || text.back() == '#')) {
    text.remove_suffix(1);
  }
  if (const Move move = ParseUci(text)) return move;
  if (const auto san = ParseSan(text)) return *san;
  return Move();
}

bool OriginFits(const San& san, Square from) {
  return (!san.file || *san.file == FileOf(from)) &&
         (!san.rank || *san.rank == RankOf(from));
}

bool Fits(const Position& position, const San& san, Move move) {
  if (move.IsDrop() || move.to() != san.to ||
      move.IsPromotion() != san.promotes ||
      position.TypeAt(move.from()) != san.type ||
      !OriginFits(san, move.from())) {
    return false;
  }
  // Without a file a soldier's move means the step straight ahead.
  return san.type != PieceType::kSoldier || san.promotes || san.file ||
         FileOf(move.from()) == FileOf(san.to);
}

Violation CannotReach(Square to) {
  return {ViolationReason::kManCannotReach, Bit(to)};
}

// The men that a SAN which fits no legal move may have meant.
Bitboard PlausibleOrigins(const Position& position, const San& san) {
  Bitboard origins = position.Men(position.side_to_move(), san.type);
  if (san.file) origins &= FileSet(*san.file);
  if (san.rank) origins &= RankSet(*san.rank);
  if (san.type == PieceType::kSoldier && !san.promotes) {
    // A soldier on the target or ahead of it could mean to promote in place,
    // which SAN writes with a suffix.
    const Bitboard target = Bit(san.to);
    origins &= ~(target | Forward(position.side_to_move(), target));
    return san.file ? origins : origins & FileSet(FileOf(san.to));
  }
  if (san.type != PieceType::kSoldier || san.file) return origins;
  // `d5=F` means the soldier on d5; failing that, one that could step there.
  if (Contains(origins, san.to)) return Bit(san.to);
  return origins & GeneralAttacks(san.to);
}

// Judges the UCI move that a SAN without a fitting legal move most plainly
// means: of several men the one that comes furthest in the order of reasons.
std::variant<Move, Violation> JudgeNearest(const Position& position,
                                           const San& san) {
  Bitboard origins = PlausibleOrigins(position, san);
  if (origins == 0 && san.promotes && !san.names_man) {
    // Nobody there to promote: the judgement of the square itself says why.
    const Square from =
        san.file && san.rank ? MakeSquare(*san.file, *san.rank) : san.to;
    if (san.file.has_value() == san.rank.has_value()) origins = Bit(from);
  }
  std::optional<Violation> nearest;
  while (origins != 0) {
    const Square from = PopFirst(origins);
    auto judged = Judge(position, san.promotes ? Move::Promotion(from, san.to)
                                               : Move::Step(from, san.to));
    if (std::holds_alternative<Move>(judged)) return judged;
    const auto& violation = std::get<Violation>(judged);
    if (!nearest || violation.reason > nearest->reason) nearest = violation;
  }
  return nearest.value_or(CannotReach(san.to));
}

std::variant<Move, Violation> ReadSan(const Position& position,
                                      const San& san) {
  Move found;
  for (Move move : LegalMoves(position)) {
    if (!Fits(position, san, move)) continue;
    if (found) return Violation{ViolationReason::kAmbiguousMove, Bit(san.to)};
    found = move;
  }
  if (found) return found;
  return JudgeNearest(position, san);
}

// What SAN writes before the target to tell the man from others of its type
// that may move there too.
std::string Disambiguation(const Position& position, Move move) {
  const Square from = move.from();
  Bitboard others =
      position.Men(position.side_to_move(), position.TypeAt(from)) & ~Bit(from);
  Bitboard rivals = 0;
  while (others != 0) {
    const Square other = PopFirst(others);
    if (IsLegal(position, Move::Step(other, move.to()))) rivals |= Bit(other);
  }
  if (rivals == 0) return "";
  // A side has two men of such a type, so one of file and rank tells them.
  const bool file_tells = (rivals & FileSet(FileOf(from))) == 0;
  return Name(from).substr(file_tells ? 0 : 1, 1);
}

std::string SanBody(const Position& position, Move move) {
  if (move.IsDrop()) return ToUci(move);
  if (move.IsPromotion()) {
    std::string text = Name(move.from());
    if (move.from() != move.to()) text += Name(move.to());
    return text + "=F";
  }
  const PieceType type = position.TypeAt(move.from());
  const std::string target = Name(move.to());
  const bool takes = position.IsCapture(move);
  if (type == PieceType::kSoldier) {
    return takes ? Name(move.from()).substr(0, 1) + "x" + target : target;
  }
  return Letter(type) + Disambiguation(position, move) + (takes ? "x" : "") +
         target;
}

}  // namespace

std::string ToUci(Move move) {
  if (move.IsDrop()) {
    return std::string(1, Letter(move.dropped())) + "@" + Name(move.to());
  }
  return Name(move.from()) + Name(move.to()) + (move.IsPromotion() ? "f" : "");
}

std::string ToSan(const Position& position, Move move) {
  const Color us = position.side_to_move();
  std::string san = SanBody(position, move);
  Position after = position;
  after.Make(move);
  if (after.CheckersOf(Opponent(us)) == 0) return san;
  const bool mate = after.side_to_move() != us && !HasLegalMove(after);
  return san + (mate ? '#' : '+');
}

std::variant<Move, Violation> ReadMove(const Position& position,
                                       std::string_view text) {
  // Most texts are UCI without the sign of a check.
  if (const Move move = ParseUci(text)) return Judge(position, move);
  const Parsed parsed = Parse(text);
  if (const auto* san = std::get_if<San>(&parsed)) {
    return ReadSan(position, *san);
  }
  if (const Move move = std::get<Move>(parsed)) return Judge(position, move);
  return Violation{ViolationReason::kMalformedMove, 0};
}

std::optional<Square> TargetOf(std::string_view text) {
  const Parsed parsed = Parse(text);
  if (const auto* san = std::get_if<San>(&parsed)) return san->to;
  if (const Move move = std::get<Move>(parsed)) return move.to();
  return std::nullopt;
}

}  // namespace sittuyin
