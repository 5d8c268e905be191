// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TEST_FUZZ_CORPUS_H
#define PYPTO_TEST_FUZZ_CORPUS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fuzzer {

enum class TokenKind { Space, Value, Symbol, Type, Number, String, Word, Punctuation };
constexpr unsigned kNumTokenKinds = 8;

struct Token {
  TokenKind kind;
  std::string text;
};

/// Cuts MLIR text into tokens; their texts put together are the text again. Unlike MLIR's own lexer
/// it accepts anything, and a type with all its parameters is one token.
std::vector<Token> tokenize(llvm::StringRef text);
std::string join(const std::vector<Token> &tokens);

/// The programs that mutation starts from.
class Corpus {
public:
  /// Adds the parts of a `.mlir` file, or of all such files below a folder. Splits at `// -----`,
  /// as
  /// `--split-input-file` does, and drops comments.
  llvm::Error add(llvm::StringRef path);

  bool empty() const { return programs.empty(); }
  size_t size() const { return programs.size(); }
  const std::string &program(size_t index) const { return programs[index]; }
  /// The distinct tokens of one kind in all programs, sorted.
  const std::vector<std::string> &vocabulary(TokenKind kind) const {
    return words[static_cast<unsigned>(kind)];
  }
  /// Programs for which `isValid` held in finish(); all of them if it never did.
  const std::vector<size_t> &valid() const { return validPrograms; }
  /// Collects the vocabularies; to be called after the last add().
  void finish(llvm::function_ref<bool(const std::string &)> isValid);

private:
  llvm::Error addFile(llvm::StringRef path);

  std::vector<std::string> programs;
  std::vector<size_t> validPrograms;
  std::vector<std::string> words[kNumTokenKinds];
};

} // namespace fuzzer

#endif
