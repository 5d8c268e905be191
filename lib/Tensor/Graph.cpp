// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Tensor/Graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <oneapi/tbb/concurrent_hash_map.h>

using namespace pypto::lazy;

llvm::StringRef pypto::lazy::stringifyOp(OpKind op) {
  static constexpr llvm::StringLiteral names[] = {
      "buffer",    "constant",  "iota",     "neg",     "abs",     "sqrt",      "rsqrt",
      "cbrt",      "exp",       "exp2",     "log",     "log2",    "log10",     "sin",
      "cos",       "tan",       "asin",     "acos",    "atan",    "sinh",      "cosh",
      "tanh",      "asinh",     "acosh",    "atanh",   "erf",     "erfc",      "floor",
      "ceil",      "round",     "trunc",    "not",     "cast",    "bitcast",   "add",
      "sub",       "mul",       "div",      "rem",     "pow",     "atan2",     "max",
      "min",       "and",       "or",       "xor",     "shl",     "shr",       "less",
      "lessEqual", "equal",     "notEqual", "where",   "reshape", "permute",   "expand",
      "pad",       "shrink",    "flip",     "unfold",  "concat",  "reduceAdd", "reduceMul",
      "reduceMax", "reduceMin", "argMax",   "argMin",  "scanAdd", "scanMul",   "scanMax",
      "scanMin",   "take",      "gather",   "scatter", "argSort", "contiguous"};
  static_assert(std::size(names) == static_cast<size_t>(OpKind::Contiguous) + 1);
  return names[static_cast<unsigned>(op)];
}

bool pypto::lazy::isMovement(OpKind op) { return op >= OpKind::Reshape && op <= OpKind::Concat; }
bool pypto::lazy::isReduction(OpKind op) {
  return op >= OpKind::ReduceAdd && op <= OpKind::ReduceMin;
}
bool pypto::lazy::isScan(OpKind op) { return op >= OpKind::ScanAdd && op <= OpKind::ScanMin; }

//===- The table of nodes ---------------------------------------------------------------===//

namespace {
/// Nodes by hash. Entries are weak: a node takes its own out when it dies.
using Bucket = llvm::SmallVector<std::pair<const Node *, std::weak_ptr<const Node>>, 1>;
/// Memory of the C library: that of oneTBB's own allocator is handed from thread to thread unseen
/// by ThreadSanitizer.
using Table =
    oneapi::tbb::concurrent_hash_map<uint64_t, Bucket, oneapi::tbb::tbb_hash_compare<uint64_t>,
                                     std::allocator<std::pair<const uint64_t, Bucket>>>;
} // namespace

/// Never destroyed: tensors may be, later than anything else.
static Table &getTable() {
  static auto *table = new Table();
  return *table;
}

static std::atomic<size_t> numLiveNodes = 0;
size_t pypto::lazy::getNumLiveNodes() { return numLiveNodes; }

static bool hasSameContents(const Node &a, const Node &b) {
  return a.hash == b.hash && a.op == b.op && a.dtype == b.dtype && a.buffer == b.buffer &&
         a.shape == b.shape && a.attributes == b.attributes && a.operands == b.operands;
}

static uint64_t computeHash(const Node &node) {
  llvm::SmallVector<uint64_t, 16> words{static_cast<uint64_t>(node.op),
                                        static_cast<uint64_t>(node.dtype), node.shape.size()};
  for (const Extent &extent : node.shape) {
    words.append({uint64_t(extent.max), uint64_t(extent.scale), uint64_t(extent.offset)});
    words.push_back(extent.variable ? llvm::xxh3_64bits(extent.variable->name) : 0);
  }
  words.append(node.attributes.begin(), node.attributes.end());
  for (const NodeRef &operand : node.operands)
    words.push_back(operand->hash);
  words.push_back(reinterpret_cast<uintptr_t>(node.buffer.get()));
  return llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(words.data()),
                                          words.size() * sizeof(uint64_t)));
}

Node::~Node() {
  if (hash == 0)
    return;
  {
    Table::accessor accessor;
    if (getTable().find(accessor, hash)) {
      llvm::erase_if(accessor->second, [&](auto &entry) { return entry.first == this; });
      if (accessor->second.empty())
        getTable().erase(accessor);
    }
  }
  --numLiveNodes;
  // Long chains die one by one, not one inside the other.
  static thread_local llvm::SmallVector<NodeRef> *dying = nullptr;
  if (dying) {
    dying->append(std::make_move_iterator(operands.begin()),
                  std::make_move_iterator(operands.end()));
    return;
  }
  llvm::SmallVector<NodeRef> work(std::make_move_iterator(operands.begin()),
                                  std::make_move_iterator(operands.end()));
  dying = &work;
  while (!work.empty())
    work.pop_back_val().reset();
  dying = nullptr;
}

NodeRef pypto::lazy::makeNode(OpKind op, DType dtype, Shape shape, llvm::ArrayRef<NodeRef> operands,
                              llvm::ArrayRef<int64_t> attributes, BufferRef buffer) {
  auto node = std::make_shared<Node>();
  node->op = op;
  node->dtype = dtype;
  node->shape = std::move(shape);
  node->operands.assign(operands.begin(), operands.end());
  node->attributes.assign(attributes.begin(), attributes.end());
  node->buffer = std::move(buffer);
  auto isVariable = [](const Extent &extent) { return !extent.isStatic(); };
  auto hasVariables = [](const NodeRef &operand) { return operand->hasVariables; };
  node->hasVariables =
      llvm::any_of(node->shape, isVariable) || llvm::any_of(operands, hasVariables);
  uint64_t hash = computeHash(*node);
  hash = hash ? hash : 1;

  // Dropped after the bucket is released: the last owner of a node takes it out of the table.
  llvm::SmallVector<NodeRef> candidates;
  Table::accessor accessor;
  getTable().insert(accessor, hash);
  for (auto &[address, weak] : accessor->second)
    if (NodeRef candidate = weak.lock())
      candidates.push_back(std::move(candidate));
  node->hash = hash;
  for (const NodeRef &candidate : candidates)
    if (hasSameContents(*candidate, *node)) {
      node->hash = 0; // not in the table
      return candidate;
    }
  ++numLiveNodes;
  accessor->second.emplace_back(node.get(), node);
  return node;
}
