// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of cores that stands in host functions becomes kernels, so that it runs as tasks.
#include "OutlineWindows.h"
#include "pypto/Analysis/StorageRoots.h"
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/TypeRules.h"
#include "pypto/Dialect/PL/Transforms/Passes.h"
#include "pypto/Interfaces/AliasInterfaces.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

namespace pypto::pl {
#define GEN_PASS_DEF_OUTLINESCOPES
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"
} // namespace pypto::pl

namespace {
/// A scope that becomes a kernel.
struct Outlined {
  Operation *scope;
  /// The storage that the body writes; anything if `writesUnknown`.
  DenseSet<Value> written = {};
  bool writesUnknown = false;
};

class Outliner {
public:
  explicit Outliner(ModuleOp module) : symbols(module), roots(module), module(module) {}
  void run();

private:
  // What becomes a kernel; nothing is changed yet.
  void visit(FuncOp func);
  bool isOutlinable(Operation *scope);
  bool hasSuitableBody(Operation *scope);
  bool hasSuitableNames(Operation *scope);
  bool hasSuitableResults(Operation *scope);
  bool isFresh(Operation *scope, Value value);
  void noteWrites(Outlined &plan);

  // The change.
  void outline(const Outlined &plan);
  void giveStorage(Operation *scope);
  SmallVector<Value> takeCaptures(Operation *scope);
  FuncOp createKernel(const Outlined &plan, SmallVectorImpl<Value> &captures);
  void moveBody(Operation *scope, FuncOp kernel, ArrayRef<Value> captures,
                ArrayRef<StringAttr> names);
  bool mayBeWritten(const Outlined &plan, Value tensor);

  SymbolTable symbols;
  StorageRoots roots;
  ModuleOp module;
  SmallVector<Outlined> plans;
  /// The storage of what scopes capture, found before anything is changed.
  DenseMap<Value, SmallVector<StorageRoot>> rootsOf;
  /// How many kernels without a hint have names that begin so.
  llvm::StringMap<unsigned> counts;
};
} // namespace

static Block &getBody(Operation *scope) { return scope->getRegion(0).front(); }

static bool isInside(Operation *scope, Value value) {
  return scope->isAncestor(value.getParentBlock()->getParentOp());
}

/// A function that runs on the host.
static bool isHost(FuncOp func) {
  return llvm::is_contained({FuncKind::Opaque, FuncKind::Orchestration, FuncKind::Graph},
                            func.getKind());
}

static bool isCoreScope(Operation *op) {
  if (auto at = dyn_cast<AtOp>(op))
    return llvm::is_contained({Level::AIV, Level::AIC, Level::CoreGroup}, at.getLevel());
  return isa<ClusterOp, SpmdOp>(op);
}

//===- Choice -------------------------------------------------------------------===//

/// Nothing in the body talks of tasks, makes some, or waits for the end of the function; and what
/// it takes from outside can be an argument.
bool Outliner::hasSuitableBody(Operation *scope) {
  bool isSpmd = isa<SpmdOp>(scope);
  WalkResult result = getBody(scope).walk([&](Operation *op) {
    if (isa<orchestration::OrchestrationDialect>(op->getDialect()) ||
        isa<tile::DeferWaitOp, SpmdOp>(op))
      return WalkResult::interrupt();
    auto call = dyn_cast<CallOp>(op);
    if (!call)
      return WalkResult::advance();
    // Calls of kernels in a launch are tasks already, each with the windows that it is given.
    auto callee = symbols.lookup<FuncOp>(call.getCallee());
    return isSpmd || !callee || isHost(callee) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return false;
  llvm::SetVector<Value> captures;
  getUsedValuesDefinedAbove(scope->getRegion(0), captures);
  return llvm::all_of(captures, [](Value value) {
    Type type = value.getType();
    return isa<pl::TensorType, pl::ArrayType>(type) || isScalarType(type);
  });
}

/// The names of extents that the body uses and does not bind.
static llvm::SetVector<StringAttr> getFreeNames(Operation *scope, ValueRange captures) {
  llvm::SetVector<StringAttr> names;
  auto add = [&](Type type) { forEachSymbol(type, [&](StringAttr name) { names.insert(name); }); };
  for (Value value : captures)
    add(value.getType());
  DenseSet<StringAttr> bound;
  getBody(scope).walk([&](Operation *op) {
    if (auto symbol = dyn_cast<SymbolOp>(op))
      bound.insert(symbol.getSymAttr().getAttr());
    for (Type type : op->getResultTypes())
      add(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          add(type);
  });
  names.remove_if([&](StringAttr name) { return bound.contains(name); });
  return names;
}

/// The names that a parameter list of these types declares.
static DenseSet<StringAttr> getDeclared(TypeRange types) {
  DenseSet<StringAttr> declared;
  for (Type type : types)
    if (auto tensor = dyn_cast<pl::TensorType>(type))
      for (ExtentAttr extent :
           llvm::concat<const ExtentAttr>(tensor.getExtents(), tensor.getValid()))
        if (extent.isSymbol())
          declared.insert(extent.getSymbolName());
  return declared;
}

/// What binds a name around `scope`: the number of a `pl.symbol`, or a parameter and a dimension.
static std::pair<Value, int64_t> findBinding(Operation *scope, StringAttr name) {
  for (Operation *op = scope; !isa<FuncOp>(op); op = op->getParentOp())
    for (auto symbol : op->getBlock()->getOps<SymbolOp>())
      if (symbol.getSymAttr().getAttr() == name && symbol->isBeforeInBlock(op))
        return {symbol.getValue(), -1};
  for (BlockArgument argument : scope->getParentOfType<FuncOp>().getArguments())
    if (auto tensor = dyn_cast<pl::TensorType>(argument.getType()))
      for (auto [dim, extent] : llvm::enumerate(tensor.getExtents()))
        if (extent.isSymbol() && extent.getSymbolName() == name)
          return {argument, dim};
  return {};
}

bool Outliner::hasSuitableNames(Operation *scope) {
  llvm::SetVector<Value> captures;
  getUsedValuesDefinedAbove(scope->getRegion(0), captures);
  SmallVector<Value> values = captures.takeVector();
  DenseSet<StringAttr> declared = getDeclared(TypeRange(ValueRange(values)));
  return llvm::all_of(getFreeNames(scope, values), [&](StringAttr name) {
    return declared.contains(name) || findBinding(scope, name).first;
  });
}

/// The value around `scope` that `value` is another name of, under the same type; null if there is
/// none.
static Value getOuterName(Operation *scope, Value value) {
  Type type = value.getType();
  while (isInside(scope, value)) {
    auto alias = value.getDefiningOp<StorageAliasOpInterface>();
    OpOperand *operand = alias && !isa<SetValidShapeOp>(alias)
                             ? alias.getAliasedOperand(cast<OpResult>(value))
                             : nullptr;
    if (!operand)
      return {};
    value = operand->get();
  }
  return value.getType() == type ? value : Value();
}

/// Storage that the scope makes, of extents that are known around it.
bool Outliner::isFresh(Operation *scope, Value value) {
  auto type = dyn_cast<pl::TensorType>(value.getType());
  if (!type || !type.getValid().empty() || !type.getStrides().empty() ||
      type.getLayout() != Layout::ND ||
      llvm::any_of(type.getExtents(), [](ExtentAttr extent) { return extent.isDynamic(); }))
    return false;
  return llvm::all_of(roots.getStorageRoots(value), [&](StorageRoot root) {
    return root.isAllocation() && isInside(scope, root.getValue());
  });
}

/// Each result is a tensor of the code around, or one of its own that nothing else is.
bool Outliner::hasSuitableResults(Operation *scope) {
  SmallVector<Value> fresh;
  for (Value value : getBody(scope).getTerminator()->getOperands()) {
    if (isa<pl::TensorType>(value.getType()) && getOuterName(scope, value))
      continue;
    if (isa<SpmdOp>(scope) || !isFresh(scope, value) ||
        llvm::any_of(fresh, [&](Value other) { return roots.mayAlias(value, other); }))
      return false;
    fresh.push_back(value);
  }
  return true;
}

bool Outliner::isOutlinable(Operation *scope) {
  return isCoreScope(scope) && hasSuitableBody(scope) && hasSuitableNames(scope) &&
         hasSuitableResults(scope);
}

void Outliner::noteWrites(Outlined &plan) {
  auto note = [&](Value tensor) {
    if (!isa<pl::TensorType>(tensor.getType()))
      return;
    for (StorageRoot root : roots.getStorageRoots(tensor)) {
      plan.writesUnknown |= root.isUnknown();
      if (!root.isUnknown())
        plan.written.insert(root.getValue());
    }
  };
  getBody(plan.scope).walk([&](Operation *op) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    // Of calls the directions are known, but not what else they do.
    if (!interface && op->getNumRegions() == 0 && !isMemoryEffectFree(op))
      llvm::for_each(op->getOperands(), note);
    if (!interface)
      return;
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue())
        note(effect.getValue());
  });
}

void Outliner::visit(FuncOp func) {
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // In a manual scope nothing could say what such a task waits for; each of a pair of cores runs
    // code of its own.
    auto scope = dyn_cast<orchestration::ScopeOp>(op);
    if ((scope && scope.getManual()) || isa<SplitAivOp>(op))
      return WalkResult::skip();
    if (!isOutlinable(op))
      return WalkResult::advance();
    plans.push_back({op});
    noteWrites(plans.back());
    llvm::SetVector<Value> tensors;
    getUsedValuesDefinedAbove(op->getRegion(0), tensors);
    tensors.insert_range(op->getResults());
    tensors.insert_range(getBody(op).getTerminator()->getOperands());
    for (Value value : tensors)
      if (isa<pl::TensorType>(value.getType()))
        rootsOf.try_emplace(value, llvm::to_vector(roots.getStorageRoots(value)));
    return WalkResult::skip();
  });
}

//===- Change -------------------------------------------------------------------===//

/// Tensors that the scope makes and yields are made in front of it.
void Outliner::giveStorage(Operation *scope) {
  Operation *yield = getBody(scope).getTerminator();
  OpBuilder b(scope);
  for (OpOperand &operand : yield->getOpOperands()) {
    Value value = operand.get();
    if (getOuterName(scope, value))
      continue;
    auto create = value.getDefiningOp<CreateOp>();
    for (Value root = value; !create;) {
      auto alias = root.getDefiningOp<StorageAliasOpInterface>();
      OpOperand *source = alias ? alias.getAliasedOperand(cast<OpResult>(root)) : nullptr;
      if (!source)
        break;
      root = source->get();
      create = root.getDefiningOp<CreateOp>();
    }
    if (create && create.getType() == value.getType() && create->getParentOp() == scope) {
      create->moveBefore(scope);
      if (getOuterName(scope, value))
        continue;
    }
    auto type = cast<pl::TensorType>(value.getType());
    Value storage = CreateOp::create(b, value.getLoc(), type, ValueRange());
    rootsOf[storage] = rootsOf.lookup(value);
    OpBuilder inner(yield);
    SmallVector<int64_t> zeros(type.getExtents().size(), 0);
    operand.set(AssembleOp::create(inner, value.getLoc(), type, value, storage, ValueRange(), zeros,
                                   /*atomic=*/false));
  }
  for (auto [result, value] : llvm::zip_equal(scope->getResults(), yield->getOperands())) {
    Value outer = getOuterName(scope, value);
    rootsOf.try_emplace(outer, rootsOf.lookup(result));
    result.replaceAllUsesWith(outer);
  }
  yield->setOperands({});
}

/// Copies constants into the body; what is left comes from outside.
SmallVector<Value> Outliner::takeCaptures(Operation *scope) {
  llvm::SetVector<Value> captures;
  Region &region = scope->getRegion(0);
  getUsedValuesDefinedAbove(region, captures);
  OpBuilder b(&region.front(), region.front().begin());
  SmallVector<Value> kept;
  for (Value value : captures) {
    if (!matchPattern(value, m_Constant())) {
      kept.push_back(value);
      continue;
    }
    Operation *copy = b.clone(*value.getDefiningOp());
    replaceAllUsesInRegionWith(value, copy->getResult(0), region);
  }
  return kept;
}

bool Outliner::mayBeWritten(const Outlined &plan, Value tensor) {
  if (plan.writesUnknown)
    return true;
  auto known = rootsOf.find(tensor);
  return known == rootsOf.end() || llvm::any_of(known->second, [&](StorageRoot root) {
           return root.isUnknown() || plan.written.contains(root.getValue());
         });
}

/// `type` with `?` for what names one of `names`.
static Type withoutNames(Type type, const llvm::SetVector<StringAttr> &names) {
  bool isNamed = false;
  forEachSymbol(type, [&](StringAttr name) { isNamed |= names.contains(name); });
  if (!isNamed)
    return type;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](ExtentAttr extent) -> std::pair<Attribute, WalkResult> {
    if (llvm::any_of(extent.getSymbols(), [&](StringAttr name) { return names.contains(name); }))
      return {ExtentAttr::getDynamic(extent.getContext()), WalkResult::skip()};
    return {extent, WalkResult::skip()};
  });
  return replacer.replace(type);
}

static StringRef getNameHint(Operation *scope) {
  auto hint = scope->getAttrOfType<StringAttr>("name_hint");
  return hint ? hint.getValue() : StringRef();
}

static std::pair<FuncKind, StringRef> getKind(Operation *scope) {
  if (isa<SpmdOp>(scope))
    return {FuncKind::Spmd, "spmd"};
  if (isa<ClusterOp>(scope))
    return {FuncKind::Group, "cluster"};
  Level level = cast<AtOp>(scope).getLevel();
  FuncKind kind = level == Level::AIV   ? FuncKind::AIV
                  : level == Level::AIC ? FuncKind::AIC
                                        : FuncKind::InCore;
  return {kind, "incore"};
}

/// Appends the numbers that names stand for to `captures` where no argument says it.
FuncOp Outliner::createKernel(const Outlined &plan, SmallVectorImpl<Value> &captures) {
  Operation *scope = plan.scope;
  auto host = scope->getParentOfType<FuncOp>();
  llvm::SetVector<StringAttr> names = getFreeNames(scope, captures);
  DenseSet<StringAttr> declared = getDeclared(TypeRange(ValueRange(captures)));
  names.remove_if([&](StringAttr name) { return declared.contains(name); });
  SmallVector<Type> types;
  SmallVector<Direction> directions;
  for (Value value : captures) {
    types.push_back(withoutNames(value.getType(), names));
    bool isWritten = isa<pl::TensorType>(value.getType()) && mayBeWritten(plan, value);
    directions.push_back(isWritten ? Direction::InOut : Direction::In);
  }
  OpBuilder b(scope);
  SmallVector<Value> inner = llvm::to_vector(captures);
  for (StringAttr name : names) {
    auto [value, dim] = findBinding(scope, name);
    captures.push_back(dim < 0 ? value
                               : DimOp::create(b, scope->getLoc(), b.getIndexType(), value,
                                               b.getI64IntegerAttr(dim))
                                     .getResult());
    types.push_back(b.getIndexType());
    directions.push_back(Direction::In);
  }
  auto [kind, suffix] = getKind(scope);
  StringRef hint = getNameHint(scope);
  std::string name = hint.str();
  if (hint.empty()) {
    name = (host.getSymName() + "_" + suffix + "_").str();
    name += std::to_string(counts[name]++);
  }
  b.setInsertionPoint(host);
  auto kernel =
      FuncOp::create(b, scope->getLoc(), name, b.getFunctionType(types, {}), kind, directions);
  kernel.setPrivate();
  kernel->remove();
  symbols.insert(kernel, host->getIterator());
  moveBody(scope, kernel, inner, names.getArrayRef());
  return kernel;
}

void Outliner::moveBody(Operation *scope, FuncOp kernel, ArrayRef<Value> captures,
                        ArrayRef<StringAttr> names) {
  Region &region = scope->getRegion(0);
  Block &block = kernel.getBody().front();
  OpBuilder b(&block, block.end());
  for (auto [index, name] : llvm::enumerate(names))
    SymbolOp::create(b, scope->getLoc(), FlatSymbolRefAttr::get(name),
                     block.getArgument(captures.size() + index));
  for (auto [argument, value] : llvm::zip(block.getArguments(), captures)) {
    argument.setLoc(value.getLoc());
    Value inside = argument;
    if (argument.getType() != value.getType())
      inside = CastShapeOp::create(b, scope->getLoc(), value.getType(), argument);
    replaceAllUsesInRegionWith(value, inside, region);
  }
  Block &body = region.front();
  if (body.getNumArguments() != 0) {
    if (!body.getArgument(0).use_empty())
      body.getArgument(0).replaceAllUsesWith(tile::GetBlockIdxOp::create(b, scope->getLoc()));
    body.eraseArgument(0);
  }
  body.getTerminator()->erase();
  block.getOperations().splice(block.end(), body.getOperations());
  b.setInsertionPointToEnd(&block);
  ReturnOp::create(b, scope->getLoc());
}

void Outliner::outline(const Outlined &plan) {
  Operation *scope = plan.scope;
  giveStorage(scope);
  narrowToWindows(scope,
                  [&](Value window, Value tensor) { rootsOf[window] = rootsOf.lookup(tensor); });
  SmallVector<Value> captures = takeCaptures(scope);
  FuncOp kernel = createKernel(plan, captures);
  OpBuilder b(scope);
  auto callee = FlatSymbolRefAttr::get(kernel.getSymNameAttr());
  Operation *call;
  if (auto spmd = dyn_cast<SpmdOp>(scope))
    call = orchestration::SubmitOp::create(
        b, scope->getLoc(), orchestration::TaskType::get(b.getContext()), callee, captures,
        ValueRange(), spmd.getCount(), spmd.getSyncStartAttr(), DenseI64ArrayAttr(), ArrayAttr(),
        ArrayAttr());
  else
    call = CallOp::create(b, scope->getLoc(), TypeRange(), callee, captures, DenseI64ArrayAttr(),
                          ArrayAttr(), ArrayAttr());
  call->setAttr(kOutlinedAttrName, b.getStringAttr(scope->getName().getStringRef()));
  scope->erase();
}

void Outliner::run() {
  for (auto func : module.getOps<FuncOp>())
    if (isHost(func) && !func.isDeclaration())
      visit(func);
  for (const Outlined &plan : plans)
    outline(plan);
}

namespace {
struct OutlineScopesPass : pl::impl::OutlineScopesBase<OutlineScopesPass> {
  ArrayRef<IRProperty> getRequiredProperties() const override {
    static constexpr IRProperty required[] = {IRProperty::InlineFunctionsEliminated,
                                              IRProperty::SSAForm};
    return required;
  }
  ArrayRef<IRProperty> getInvalidatedProperties() const override {
    static constexpr IRProperty invalidated[] = {IRProperty::IncoreTileOps};
    return invalidated;
  }
  void runOnModule() override { Outliner(getOperation()).run(); }
};
} // namespace
