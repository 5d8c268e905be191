// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Corpus.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

using namespace llvm;
using namespace fuzzer;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static bool isWordChar(char c) {
  return isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/// Length of a `<…>` group at the start of `text`, 0 if there is none that is closed. `->` closes
/// nothing.
static size_t bracketLength(StringRef text) {
  if (!text.starts_with("<"))
    return 0;
  unsigned depth = 0;
  for (size_t i = 0; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '<')
      ++depth;
    else if (text[i] == '>' && text[i - 1] != '-' && --depth == 0)
      return i + 1;
  }
  return 0;
}

static bool isScalarType(StringRef word) {
  if (word == "index" || word == "none" || word == "bf16" || word == "tf32")
    return true;
  if (!word.consume_front("ui") && !word.consume_front("si") && !word.consume_front("i") &&
      !word.consume_front("f"))
    return false;
  return !word.empty() && isDigit(word.front());
}

static Token wordOrType(StringRef text) {
  size_t length = text.take_while(isWordChar).size();
  // `->` is not the end of a word.
  while (length > 1 && text[length - 1] == '-')
    --length;
  StringRef word = text.take_front(length);
  if (word == "tensor" || word == "memref" || word == "vector" || word == "tuple")
    if (size_t rest = bracketLength(text.drop_front(length)))
      return {TokenKind::Type, text.take_front(length + rest).str()};
  return {isScalarType(word) ? TokenKind::Type : TokenKind::Word, word.str()};
}

static Token numberToken(StringRef text) {
  size_t length = text.take_while([](char c) { return isAlnum(c) || c == '.' || c == '_'; }).size();
  // 4x8xf32 is a shape: its extents are tokens of their own.
  if (size_t x = text.take_front(length).find('x'); x != StringRef::npos && x > 0 && text[1] != 'x')
    length = x;
  return {TokenKind::Number, text.take_front(length).str()};
}

static Token nextToken(StringRef text) {
  char c = text.front();
  if (isSpace(c))
    return {TokenKind::Space, text.take_while(isSpace).str()};
  if (isDigit(c))
    return numberToken(text);
  if (isAlpha(c) || c == '_')
    return wordOrType(text);
  if (c == '"') {
    size_t end = text.find_first_of("\"\n", 1);
    return {TokenKind::String,
            text.take_front(end == StringRef::npos ? text.size() : end + 1).str()};
  }
  size_t length = 1 + text.drop_front().take_while(isWordChar).size();
  while (length > 1 && text[length - 1] == '-')
    --length;
  if (length > 1 && c == '%') {
    // %0#1 is one value.
    StringRef rest = text.drop_front(length);
    if (rest.starts_with("#") || rest.starts_with(":"))
      length += 1 + rest.drop_front().take_while(isDigit).size();
    return {TokenKind::Value, text.take_front(length).str()};
  }
  if (length > 1 && (c == '@' || c == '^'))
    return {TokenKind::Symbol, text.take_front(length).str()};
  if (length > 1 && (c == '!' || c == '#'))
    return {c == '!' ? TokenKind::Type : TokenKind::Word,
            text.take_front(length + bracketLength(text.drop_front(length))).str()};
  if (text.starts_with("->"))
    return {TokenKind::Punctuation, "->"};
  return {TokenKind::Punctuation, std::string(1, c)};
}

std::vector<Token> fuzzer::tokenize(StringRef text) {
  std::vector<Token> tokens;
  while (!text.empty()) {
    tokens.push_back(nextToken(text));
    text = text.drop_front(tokens.back().text.size());
  }
  return tokens;
}

std::string fuzzer::join(const std::vector<Token> &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

//===----------------------------------------------------------------------===//
// Corpus
//===----------------------------------------------------------------------===//

/// The text without `//` comments and empty lines.
static std::string withoutComments(StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    // A string may hold `//`; such a line keeps its comment.
    if (!line.contains('"'))
      line = line.take_front(line.find("//"));
    if (!line.trim().empty())
      result += line.rtrim().str() + "\n";
  }
  return result;
}

Error Corpus::addFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (std::error_code code = buffer.getError())
    return createFileError(path, code);
  SmallVector<StringRef> parts;
  (*buffer)->getBuffer().split(parts, "// -----");
  for (StringRef part : parts)
    if (std::string program = withoutComments(part); !program.empty())
      programs.push_back(std::move(program));
  return Error::success();
}

Error Corpus::add(StringRef path) {
  if (!sys::fs::is_directory(path))
    return addFile(path);
  std::vector<std::string> files;
  std::error_code code;
  for (sys::fs::recursive_directory_iterator it(path, code), end; it != end && !code;
       it.increment(code))
    if (StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  if (code)
    return createFileError(path, code);
  // The order of a folder is the file system's; a seed has to mean the same everywhere.
  std::sort(files.begin(), files.end());
  for (StringRef file : files)
    if (Error error = addFile(file))
      return error;
  return Error::success();
}

void Corpus::finish(function_ref<bool(const std::string &)> isValid) {
  for (size_t index = 0; index != programs.size(); ++index)
    if (isValid(programs[index]))
      validPrograms.push_back(index);
  for (size_t index = 0; validPrograms.empty() && index != programs.size(); ++index)
    validPrograms.push_back(index);
  StringSet<> seen[kNumTokenKinds];
  for (StringRef program : programs)
    for (Token &token : tokenize(program))
      if (seen[static_cast<unsigned>(token.kind)].insert(token.text).second)
        words[static_cast<unsigned>(token.kind)].push_back(std::move(token.text));
  for (std::vector<std::string> &list : words)
    std::sort(list.begin(), list.end());
}
