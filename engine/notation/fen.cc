#include "engine/notation/fen.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace sittuyin {
namespace {

constexpr int kMaxNumber = 999999;

using Fault = std::optional<FenError>;

// Makes a sentence of `message`.
FenError Error(std::string message) { return {std::move(message) + '.'}; }

std::string Quoted(char c) {
  // Input may be any bytes: what is not plain text is written as its code.
  if (c >= 0x20 && c < 0x7f) return std::string("'") + c + "'";
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
}

// `1 rank`, `2 ranks`.
std::string Counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) +
         (count == 1 ? "" : "s");
}

constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

Color ColorOfLetter(char letter) {
  return IsUpper(letter) ? Color::kRed : Color::kBlack;
}

// The parts of a text between separators. Keeps the first kKept of them and
// counts the rest: no FEN has so many.
struct Parts {
  static constexpr std::size_t kKept = 8;
  std::array<std::string_view, kKept> kept;
  std::size_t count = 0;
};

Parts Split(std::string_view text, char separator) {
  Parts parts;
  while (true) {
    const std::size_t end = text.find(separator);
    if (parts.count < Parts::kKept) {
      parts.kept[parts.count] = text.substr(0, end);
    }
    ++parts.count;
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Fault ReadRank(std::string_view text, int rank, Setup& setup) {
  const auto named = [rank](const std::string& rest) {
    return Error("rank " + std::to_string(rank + 1) + " of the board has " +
                 rest);
  };
  int file = 0;
  for (char c : text) {
    if (c >= '1' && c <= '8') {
      file += c - '0';
    } else if (const auto type = TypeFromLetter(c)) {
      if (file < 8) {
        setup.board[Index(MakeSquare(file, rank))] =
            Man{ColorOfLetter(c), *type};
      }
      ++file;
    } else {
      return named(Quoted(c) +
                   "; write men as K F S N R P, in lower case for Black, and "
                   "empty squares as digits 1 to 8");
    }
  }
  if (file == 8) return std::nullopt;
  return named(Counted(static_cast<std::size_t>(file), "square") +
               "; write exactly 8");
}

Fault ReadBoard(std::string_view text, Setup& setup) {
  const Parts ranks = Split(text, '/');
  if (ranks.count != 8) {
    return Error("the board has " + Counted(ranks.count, "rank") +
                 "; write 8, the eighth first, separated by '/'");
  }
  for (int i = 0; i < 8; ++i) {
    if (Fault fault =
            ReadRank(ranks.kept[static_cast<std::size_t>(i)], 7 - i, setup)) {
      return fault;
    }
  }
  return std::nullopt;
}

// `text` is what stands between the brackets.
Fault ReadHands(std::string_view text, Setup& setup) {
  if (text == "-") return std::nullopt;
  for (char c : text) {
    const auto type = TypeFromLetter(c);
    if (!type) {
      return Error("the hands have " + Quoted(c) +
                   "; write the men in hand as letters, [] for none");
    }
    ++setup.hands[Index(ColorOfLetter(c))][Index(*type)];
  }
  return std::nullopt;
}

// Where the hands are left off, a side without a king on the board has all its
// men other than soldiers in hand, those on the board excepted.
void FillHands(Setup& setup) {
  std::array<std::array<int, kPieceTypeCount>, 2> on_board{};
  for (const auto& man : setup.board) {
    if (man) ++on_board[Index(man->color)][Index(man->type)];
  }
  for (Color color : kColors) {
    const auto& placed = on_board[Index(color)];
    if (placed[Index(PieceType::kKing)] != 0) continue;
    for (PieceType type : kDeployedTypes) {
      setup.hands[Index(color)][Index(type)] = static_cast<std::uint8_t>(
          std::max(0, FullComplement(type) - placed[Index(type)]));
    }
  }
}

Fault ReadPlacement(std::string_view text, Setup& setup) {
  const std::size_t open = text.find('[');
  if (Fault fault = ReadBoard(text.substr(0, open), setup)) return fault;
  if (open == std::string_view::npos) {
    FillHands(setup);
    return std::nullopt;
  }
  if (text.back() != ']') {
    return Error("the hands are not closed; end the first field with ']'");
  }
  return ReadHands(text.substr(open + 1, text.size() - open - 2), setup);
}

Fault ReadSide(std::string_view text, Setup& setup) {
  if (text != "w" && text != "b") {
    return Error("the second field is the side to move; write w or b");
  }
  setup.side_to_move = text == "w" ? Color::kRed : Color::kBlack;
  return std::nullopt;
}

Fault ReadCastling(std::string_view text, Setup&) {
  if (text == "-") return std::nullopt;
  return Error("the third field has no use in sittuyin; write - there");
}

bool IsBare(const Setup& setup, Color color) {
  return std::ranges::count_if(setup.board, [color](const auto& man) {
           return man && man->color == color;
         }) == 1;
}

// Law: a count stands only where no soldier is left, a king is bare and
// nothing is in hand.
bool CountMayStand(const Setup& setup) {
  const bool soldiers = std::ranges::any_of(setup.board, [](const auto& man) {
    return man && man->type == PieceType::kSoldier;
  });
  const bool hands = std::ranges::any_of(setup.hands, [](const auto& hand) {
    return std::ranges::any_of(hand, [](int count) { return count != 0; });
  });
  return !soldiers && !hands &&
         (IsBare(setup, Color::kRed) || IsBare(setup, Color::kBlack));
}

Fault ReadCountLimit(std::string_view text, Setup& setup) {
  struct Limit {
    std::string_view text;
    int plies;
  };
  constexpr std::array<Limit, 5> kLimits = {
      {{"-", 0}, {"0", 0}, {"32", 32}, {"88", 88}, {"128", 128}}};
  const auto limit = std::ranges::find(kLimits, text, &Limit::text);
  if (limit == kLimits.end()) {
    return Error(
        "the fourth field is the limit of the count against a bare king; write "
        "- for none, or 32, 88 or 128");
  }
  if (limit->plies != 0 && !CountMayStand(setup)) {
    return Error(
        "the fourth field has a count, but a count runs only against a bare "
        "king, with no soldier on the board and nothing in hand; write - "
        "there");
  }
  setup.count_limit_plies = limit->plies;
  return std::nullopt;
}

Fault ReadNumber(std::string_view text, std::string_view field, int& number) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0 &&
      number <= kMaxNumber && text.front() != '-') {
    return std::nullopt;
  }
  return Error("the " + std::string(field) +
               "; write a whole number from 0 to " +
               std::to_string(kMaxNumber));
}

Fault ReadClock(std::string_view text, Setup& setup) {
  return ReadNumber(text, "fifth field is the clock in plies",
                    setup.clock_plies);
}

Fault ReadMoveNumber(std::string_view text, Setup& setup) {
  return ReadNumber(text, "sixth field is the move number",
                    setup.fullmove_number);
}

// The fields in the order of the text.
constexpr std::array kFields = {ReadPlacement,  ReadSide,  ReadCastling,
                                ReadCountLimit, ReadClock, ReadMoveNumber};

void Append(int number, std::string& text) {
  std::array<char, 16> digits;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(),
                    std::min(number, kMaxNumber));
  text.append(digits.data(), end);
}

// The fields of a FEN after its first.
struct Fields {
  Color side_to_move;
  int count_limit_plies;
  int clock_plies;
  int fullmove_number;
};

// `man_at` gives the man on a square, if any; `in_hand` counts a side's men of
// a type in hand.
template <typename ManAt, typename InHand>
std::string Write(const ManAt& man_at, const InHand& in_hand,
                  const Fields& fields) {
  std::string fen;
  fen.reserve(kMaxFenBytes);
  for (int rank = 7; rank >= 0; --rank) {
    std::array<char, 9> text;
    std::size_t size = 0;
    char empty = '0';
    for (int file = 0; file < 8; ++file) {
      if (const auto man = man_at(MakeSquare(file, rank))) {
        if (empty != '0') text[size++] = std::exchange(empty, '0');
        text[size++] = Letter(*man);
      } else {
        ++empty;
      }
    }
    if (empty != '0') text[size++] = empty;
    text[size++] = rank == 0 ? '[' : '/';
    fen.append(text.data(), size);
  }
  for (Color color : kColors) {
    for (PieceType type : kPieceTypes) {
      for (int left = in_hand(color, type); left > 0; --left) {
        fen += Letter(Man{color, type});
      }
    }
  }
  fen += fields.side_to_move == Color::kRed ? "] w - " : "] b - ";
  if (fields.count_limit_plies == 0) {
    fen += '-';
  } else {
    Append(fields.count_limit_plies, fen);
  }
  fen += ' ';
  Append(fields.clock_plies, fen);
  fen += ' ';
  Append(fields.fullmove_number, fen);
  return fen;
}

}  // namespace

std::variant<Setup, FenError> ParseFen(std::string_view text) {
  if (text.size() > kMaxFenBytes) {
    return Error("the text has " + std::to_string(text.size()) +
                 " bytes; a FEN has at most " + std::to_string(kMaxFenBytes));
  }
  const Parts fields = Split(text, ' ');
  if (fields.count > kFields.size()) {
    return Error("the text has " + std::to_string(fields.count) +
                 " fields; a FEN has at most 6, separated by single spaces");
  }
  Setup setup;
  for (std::size_t i = 0; i < fields.count; ++i) {
    if (fields.kept[i].empty()) {
      return Error("field " + std::to_string(i + 1) +
                   " is empty; separate fields by single spaces and leave off "
                   "from the right what you do not need");
    }
    if (Fault fault = kFields[i](fields.kept[i], setup)) return *fault;
  }
  return setup;
}

std::string ToFen(const Setup& setup) {
  return Write([&setup](Square square) { return setup.board[Index(square)]; },
               [&setup](Color color, PieceType type) {
                 return setup.hands[Index(color)][Index(type)];
               },
               {.side_to_move = setup.side_to_move,
                .count_limit_plies = setup.count_limit_plies,
                .clock_plies = setup.clock_plies,
                .fullmove_number = setup.fullmove_number});
}

std::string ToFen(const Position& position) {
  const BareKingCount& count = position.count();
  const bool counts = count.limit_plies != 0;
  return Write([&position](Square square) { return position.ManAt(square); },
               [&position](Color color, PieceType type) {
                 return position.InHand(color, type);
               },
               {.side_to_move = position.side_to_move(),
                .count_limit_plies = count.limit_plies,
                .clock_plies = counts ? count.plies : position.halfmove_clock(),
                .fullmove_number = position.fullmove_number()});
}

}  // namespace sittuyin
