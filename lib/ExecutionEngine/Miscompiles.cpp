// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Miscompiles.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

using namespace pypto::execution;

//===- Masked stores --------------------------------------------------------------------===//

/// The only lane that a constant mask has.
static std::optional<uint64_t> getSingleLane(llvm::Value *mask) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  std::optional<uint64_t> lane;
  for (unsigned i = 0, e = constant && type ? type->getNumElements() : 0; i != e; ++i) {
    llvm::Constant *element = constant->getAggregateElement(i);
    if (!element || !element->isOneValue())
      continue;
    if (lane)
      return std::nullopt;
    lane = i;
  }
  return lane;
}

void pypto::execution::storeSingleLanes(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> stores;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (call->getIntrinsicID() == llvm::Intrinsic::masked_store)
          stores.push_back(call);
  for (llvm::IntrinsicInst *store : stores) {
    std::optional<uint64_t> lane = getSingleLane(store->getArgOperand(2));
    if (!lane)
      continue;
    llvm::IRBuilder<> b(store);
    llvm::Value *element = b.CreateExtractElement(store->getArgOperand(0), *lane);
    llvm::Value *address =
        b.CreateConstInBoundsGEP1_64(element->getType(), store->getArgOperand(1), *lane);
    const llvm::DataLayout &layout = module.getDataLayout();
    llvm::Align align = llvm::commonAlignment(store->getParamAlign(1).valueOrOne(),
                                              *lane * layout.getTypeStoreSize(element->getType()));
    b.CreateAlignedStore(element, address, align);
    store->eraseFromParent();
  }
}

//===- SROA -----------------------------------------------------------------------------===//

namespace {
/// A vector that is stored to, or read from, a place of a buffer that is known.
struct Access {
  const llvm::Instruction *instruction;
  int64_t begin, end;
};

/// What a buffer is accessed by.
struct Accesses {
  llvm::SmallVector<Access> stores, loads;
};
} // namespace

static Accesses getAccesses(const llvm::AllocaInst &buffer, const llvm::DataLayout &layout) {
  Accesses accesses;
  llvm::SmallVector<std::pair<const llvm::Value *, int64_t>> work{{&buffer, 0}};
  while (!work.empty()) {
    auto [address, offset] = work.pop_back_val();
    for (const llvm::User *user : address->users()) {
      auto add = [&](llvm::SmallVector<Access> &to, const llvm::Type *type) {
        if (llvm::isa<llvm::FixedVectorType>(type))
          to.push_back({llvm::cast<llvm::Instruction>(user), offset,
                        offset + int64_t(layout.getTypeStoreSize(const_cast<llvm::Type *>(type)))});
      };
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        add(accesses.loads, load->getType());
      } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        add(accesses.stores, store->getValueOperand()->getType());
      } else if (auto *pointer = llvm::dyn_cast<llvm::GEPOperator>(user)) {
        llvm::APInt distance(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
        if (pointer->accumulateConstantOffset(layout, distance))
          work.push_back({pointer, offset + distance.getSExtValue()});
      }
    }
  }
  return accesses;
}

/// True if the stores to what a load reads are not in the order of their places.
static bool hasStoresOutOfOrder(const Accesses &accesses) {
  auto isWithin = [](const Access &store, const Access &load) {
    return store.begin >= load.begin && store.end <= load.end;
  };
  for (const Access &load : accesses.loads)
    for (const Access &first : accesses.stores)
      for (const Access &second : accesses.stores)
        if (isWithin(first, load) && isWithin(second, load) && first.begin < second.begin &&
            first.instruction->getParent() == second.instruction->getParent() &&
            second.instruction->comesBefore(first.instruction))
          return true;
  return false;
}

void pypto::execution::guardSROA(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](llvm::StringRef pass, llvm::Any unit) {
    auto *function = llvm::any_cast<const llvm::Function *>(&unit);
    if (pass != "SROAPass" || !function)
      return true;
    const llvm::DataLayout &layout = (*function)->getParent()->getDataLayout();
    for (const llvm::Instruction &instruction : llvm::instructions(**function))
      if (auto *buffer = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (hasStoresOutOfOrder(getAccesses(*buffer, layout)))
          return false;
    return true;
  });
}
