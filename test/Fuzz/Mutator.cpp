// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mutator.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <iterator>

using namespace llvm;
using namespace fuzzer;

namespace {

using Tokens = std::vector<Token>;
using Lines = std::vector<std::string>;

constexpr size_t kMaxProgramSize = 32768;

/// Where parsers, extents and loops change their mind.
constexpr const char *kExtremeNumbers[] = {"0",
                                           "1",
                                           "2",
                                           "3",
                                           "7",
                                           "64",
                                           "255",
                                           "256",
                                           "65536",
                                           "-1",
                                           "2147483647",
                                           "2147483648",
                                           "4294967296",
                                           "9223372036854775807",
                                           "9223372036854775808",
                                           "-9223372036854775808",
                                           "18446744073709551616",
                                           "99999999999999999999999",
                                           "1.0",
                                           "1e308",
                                           "0x7FC00000",
                                           "0xFFFFFFFFFFFFFFFF",
                                           "?"};

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// Positions of the tokens of one kind.
SmallVector<size_t> positions(const Tokens &tokens, TokenKind kind) {
  SmallVector<size_t> result;
  for (auto [index, token] : enumerate(tokens))
    if (token.kind == kind)
      result.push_back(index);
  return result;
}

void replaceEverywhere(Tokens &tokens, const std::string &from, const std::string &to) {
  for (Token &token : tokens)
    if (token.text == from)
      token.text = to;
}

/// Another token of the same kind, from anywhere in the corpus or, for values, from the program.
void replaceByKind(Tokens &tokens, const Corpus &corpus, Random &random, TokenKind kind,
                   bool everywhere) {
  SmallVector<size_t> where = positions(tokens, kind);
  if (where.empty())
    return;
  Token &token = tokens[random.pick(where)];
  std::string text;
  if (kind == TokenKind::Number && !random.oneIn(3))
    text = random.pick(kExtremeNumbers);
  else if (kind == TokenKind::Value || kind == TokenKind::Symbol || random.oneIn(2))
    text = tokens[random.pick(where)].text;
  else
    text = random.pick(corpus.vocabulary(kind));
  if (everywhere)
    replaceEverywhere(tokens, std::string(token.text), text);
  else
    token.text = text;
}

/// Changes one token inside of a type: an extent, the element type, an option.
void mutateInsideType(Tokens &tokens, const Corpus &corpus, Random &random, bool everywhere) {
  SmallVector<size_t> where = positions(tokens, TokenKind::Type);
  if (where.empty())
    return;
  Token &type = tokens[random.pick(where)];
  StringRef text = type.text;
  size_t open = text.find('<');
  if (open == StringRef::npos)
    return;
  Tokens inner = tokenize(text.drop_front(open + 1));
  replaceByKind(inner, corpus, random,
                random.pick(ArrayRef(
                    {TokenKind::Number, TokenKind::Word, TokenKind::Type, TokenKind::Punctuation})),
                /*everywhere=*/false);
  std::string changed = text.take_front(open + 1).str() + join(inner);
  if (everywhere)
    replaceEverywhere(tokens, std::string(type.text), changed);
  else
    type.text = changed;
}

/// Deletes a value and a comma beside it.
void deleteOperand(Tokens &tokens, Random &random) {
  SmallVector<size_t> where = positions(tokens, TokenKind::Value);
  if (where.empty())
    return;
  size_t index = random.pick(where);
  size_t end = index + 1;
  if (end < tokens.size() && tokens[end].text == ",")
    ++end;
  else
    while (index > 0 &&
           (tokens[index - 1].kind == TokenKind::Space || tokens[index - 1].text == ","))
      if (tokens[--index].text == ",")
        break;
  tokens.erase(tokens.begin() + index, tokens.begin() + end);
}

/// Repeats a value: `%a, %b` becomes `%a, %a, %b`.
void duplicateOperand(Tokens &tokens, Random &random) {
  SmallVector<size_t> where = positions(tokens, TokenKind::Value);
  if (where.empty())
    return;
  size_t index = random.pick(where);
  Token copy = tokens[index];
  tokens.insert(tokens.begin() + index, {copy, {TokenKind::Punctuation, ", "}});
}

void swapTokens(Tokens &tokens, Random &random) {
  auto kind = static_cast<TokenKind>(1 + random.below(kNumTokenKinds - 1));
  SmallVector<size_t> where = positions(tokens, kind);
  if (where.size() > 1)
    std::swap(tokens[random.pick(where)], tokens[random.pick(where)]);
}

void deleteTokens(Tokens &tokens, Random &random) {
  if (tokens.empty())
    return;
  size_t begin = random.below(tokens.size());
  size_t count = std::min(1 + random.below(4), tokens.size() - begin);
  tokens.erase(tokens.begin() + begin, tokens.begin() + begin + count);
}

void mutateTokens(std::string &text, const Corpus &corpus, Random &random) {
  Tokens tokens = tokenize(text);
  bool everywhere = random.oneIn(2);
  switch (random.below(12)) {
  case 0:
    replaceByKind(tokens, corpus, random, TokenKind::Number, everywhere);
    break;
  case 1:
  case 2:
    replaceByKind(tokens, corpus, random, TokenKind::Type, everywhere);
    break;
  case 3:
    replaceByKind(tokens, corpus, random, TokenKind::Word, everywhere);
    break;
  case 4:
    replaceByKind(tokens, corpus, random, TokenKind::Value, /*everywhere=*/false);
    break;
  case 5:
    replaceByKind(tokens, corpus, random, TokenKind::Symbol, /*everywhere=*/false);
    break;
  case 6:
  case 7:
    mutateInsideType(tokens, corpus, random, everywhere);
    break;
  case 8:
    deleteOperand(tokens, random);
    break;
  case 9:
    duplicateOperand(tokens, random);
    break;
  case 10:
    swapTokens(tokens, random);
    break;
  case 11:
    deleteTokens(tokens, random);
    break;
  }
  text = join(tokens);
}

//===----------------------------------------------------------------------===//
// Lines and bytes
//===----------------------------------------------------------------------===//

Lines splitLines(StringRef text) {
  SmallVector<StringRef> refs;
  text.split(refs, '\n');
  return Lines(refs.begin(), refs.end());
}

void mutateLines(std::string &text, const Corpus &corpus, Random &random) {
  Lines lines = splitLines(text);
  size_t at = random.below(lines.size());
  switch (random.below(5)) {
  case 0:
    lines.erase(lines.begin() + at);
    break;
  case 1:
    lines.insert(lines.begin() + at, std::string(lines[at]));
    break;
  case 2:
    std::swap(lines[at], lines[random.below(lines.size())]);
    break;
  case 3: { // a few lines of another program
    Lines other = splitLines(corpus.program(random.below(corpus.size())));
    size_t begin = random.below(other.size());
    size_t count = std::min(1 + random.below(6), other.size() - begin);
    lines.insert(lines.begin() + at, other.begin() + begin, other.begin() + begin + count);
    break;
  }
  case 4: { // the head of this program, the tail of another
    Lines other = splitLines(corpus.program(random.below(corpus.size())));
    lines.resize(at);
    lines.insert(lines.end(), other.begin() + random.below(other.size()), other.end());
    break;
  }
  }
  text = llvm::join(lines, "\n");
}

/// Two programs in one module: calls may then find the functions of the other.
void concatenate(std::string &text, const Corpus &corpus, Random &random) {
  text += corpus.program(random.below(corpus.size()));
}

void mutateBytes(std::string &text, Random &random) {
  if (text.empty())
    return;
  size_t at = random.below(text.size());
  switch (random.below(4)) {
  case 0:
    text[at] = static_cast<char>(random.below(256));
    break;
  case 1:
    text.erase(at, 1 + random.below(8));
    break;
  case 2:
    text.insert(at, 1, static_cast<char>(32 + random.below(95)));
    break;
  case 3:
    text.insert(at, text.substr(at, 1 + random.below(40)));
    break;
  }
}

} // namespace

std::string fuzzer::mutate(const Corpus &corpus, Random &random) {
  // What is wrong to begin with seldom gets past the parser.
  bool isAny = random.oneIn(6);
  std::string text =
      corpus.program(isAny ? random.below(corpus.size()) : random.pick(corpus.valid()));
  // One change leaves most programs valid for long enough to reach a pass; a few more find the
  // rest.
  do {
    if (text.empty() || text.size() > kMaxProgramSize)
      break;
    size_t choice = random.below(20);
    if (choice < 12)
      mutateTokens(text, corpus, random);
    else if (choice < 17)
      mutateLines(text, corpus, random);
    else if (choice < 18)
      concatenate(text, corpus, random);
    else
      mutateBytes(text, random);
  } while (random.oneIn(3));
  return text;
}
