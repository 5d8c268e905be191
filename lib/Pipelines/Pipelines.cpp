// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Pipelines/Pipelines.h"

#include "pypto/Conversion/ChecksToRuntime/Passes.h"
#include "pypto/Conversion/Float8ToRuntime/Passes.h"
#include "pypto/Conversion/OrchestrationToRuntime/Passes.h"
#include "pypto/Conversion/PyptoToLinalg/Passes.h"
#include "pypto/Dialect/PL/Transforms/Passes.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Rangeify/Passes.h"
#include "pypto/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/TargetParser/Host.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace mlir;

void pypto::buildCpuFrontPipeline(OpPassManager &pm, const CpuPipelineOptions &options) {
  pm.addPass(pl::createInlineFunctions());
  pm.addPass(pl::createConvertToSSA());
  // Programs may need that blocks run at the same time.
  pm.addPass(pl::createOutlineScopes());
  if (options.optimize())
    pm.addPass(pl::createInferNoAlias());
  pm.addPass(createConvertPyptoToLinalg({options.checkBounds}));
}

/// On linalg on tensors: fewer passes over memory.
static void addFusion(OpPassManager &pm) {
  pm.addPass(pypto::createSpecializeMemRefs());
  pm.addPass(pypto::createReadInPlace());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // What a block uses twice is there twice afterwards.
  pm.addPass(pypto::createFuseProducts());
  pm.addPass(createCSEPass());
  pm.addPass(pypto::createTransposeProducts());
  pm.addPass(pypto::createBoundReductions());
  pm.addPass(pypto::createBlockSoftmax());
  pm.addPass(pypto::createFuseElementwise());
  pm.addPass(pypto::createReassociateReductions());
  // Operations that are there twice in a body count twice.
  pm.addPass(createCSEPass());
  pypto::FuseSiblingsOptions siblings;
  siblings.vectorBits = pypto::getHostVectorBits();
  pm.addPass(pypto::createFuseSiblings(siblings));
  pm.addPass(pypto::createFuseRows());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(pypto::createWriteInPlace());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
}

/// Without `simplify` only what has to be done is.
static void addBufferization(OpPassManager &pm, bool simplify = true) {
  bufferization::OneShotBufferizePassOptions options;
  // A tile that a loop makes anew in each iteration is a new buffer in each.
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  // Buffers are freed in the block that makes them; those that a loop, a branch or a function hands
  // on carry a flag that says who frees them.
  pm.addPass(memref::createExpandReallocPass());
  bufferization::OwnershipBasedBufferDeallocationPassOptions ownership;
  ownership.privateFuncDynamicOwnership = true;
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass(ownership));
  if (simplify) {
    pm.addPass(createCanonicalizerPass());
    pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  }
  pm.addPass(bufferization::createLowerDeallocationsPass());
  if (simplify) {
    pm.addPass(createCSEPass());
    pm.addPass(createCanonicalizerPass());
  }
  pm.addPass(createConvertBufferizationToMemRefPass());
}

int64_t pypto::getHostVectorBits() {
  static const int64_t bits = [] {
    const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    return features.lookup("avx512f") ? 512 : features.lookup("avx2") ? 256 : 128;
  }();
  return bits;
}

/// Asks the system for the registers of tiles, which a process may use only then.
static bool requestTiles() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

pypto::ProductTarget pypto::getHostProductTarget() {
  static const ProductTarget target = [] {
    const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    bool hasTiles = features.lookup("amx-tile") && features.lookup("amx-bf16") &&
                    features.lookup("avx512f") && requestTiles();
    return ProductTarget{getHostVectorBits(), features.lookup("avx512bf16"), hasTiles};
  }();
  return target;
}

/// Loops and matrix products, for the vectors and the threads of a machine; their schedules are
/// searched if `beam` is not zero.
static void addLoops(OpPassManager &pm, unsigned beam, bool progress,
                     const pypto::ProductTarget &target = pypto::getHostProductTarget()) {
  pm.addPass(pypto::createStoreBoolsAsBytes());
  if (beam != 0) {
    pypto::SearchSchedulesOptions search;
    search.beam = beam;
    search.progress = progress;
    pm.addPass(pypto::createSearchSchedules(search));
  }
  pm.addPass(pypto::createParallelizeRows());
  pm.addPass(pypto::createKeepBuffersOnStack());
  pypto::LowerMatmulOptions products;
  products.vectorBits = target.vectorBits;
  products.bf16Dot = target.hasBF16Dot;
  products.amx = target.hasAMX;
  pm.addPass(pypto::createLowerMatmul(products));
  pm.addPass(pypto::createParallelizeOperations());
  pm.addPass(pypto::createBlockTransposes());
  pypto::VectorizeElementsOptions vectors;
  vectors.vectorBits = target.vectorBits;
  pm.addPass(pypto::createVectorizeElements(vectors));
  pm.addPass(pypto::createConvertParallelToRuntime());
}

static void addLowerings(OpPassManager &pm, bool optimize, bool barePointers = false) {
  pm.addPass(pypto::createConvertChecksToRuntime());
  pm.addPass(pypto::createConvertMemRefCopyToLinalg());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(pypto::createConvertFloat8ToRuntime());
  if (optimize)
    pm.addPass(pypto::createExpandMath());
  arith::ArithExpandOpsPassOptions expand;
  // bf16 by integer operations: the library calls for it are not everywhere.
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(pypto::createConvertOrchestrationToRuntime());
  FinalizeMemRefToLLVMConversionPassOptions memory;
  // LLVM knows that what it returns is new storage.
  memory.useAlignedAlloc = optimize;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  if (optimize)
    pm.addPass(pypto::createMarkNoAliasPointers());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = barePointers;
  pm.addPass(createConvertFuncToLLVMPass(functions));
  if (optimize)
    pm.addPass(pypto::createMarkNoAliasPointers());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(pypto::createMoveBFloat16AsInteger());
}

void pypto::buildCpuBackPipeline(OpPassManager &pm, const CpuPipelineOptions &options) {
  bool optimize = options.optimize();
  if (optimize)
    addFusion(pm);
  addBufferization(pm);
  if (optimize)
    addLoops(pm, options.beam, options.progress);
  addLowerings(pm, optimize);
}

void pypto::buildCpuPipeline(OpPassManager &pm, const CpuPipelineOptions &options) {
  buildCpuFrontPipeline(pm, options);
  buildCpuBackPipeline(pm, options);
}

/// What is there for speed is left out.
void pypto::buildCpuReferencePipeline(OpPassManager &pm) {
  CpuPipelineOptions none;
  none.level = OptLevel::None;
  buildCpuFrontPipeline(pm, none);
  addBufferization(pm, /*simplify=*/false);
  addLowerings(pm, /*optimize=*/false);
}

//===- Graphs -------------------------------------------------------------------===//

/// What graphs may have that is gone before they are split. Nothing else changes.
static void addGraphPreparation(OpPassManager &pm) {
  pm.addPass(createInlinerPass(/*opPipelines=*/{}, /*defaultPipelineBuilder=*/nullptr));
  pm.addPass(pypto::rangeify::createDecomposeAggregates());
  pm.addPass(pypto::rangeify::createWindowOutputs());
}

void pypto::buildRangeifyPipeline(OpPassManager &pm) {
  addGraphPreparation(pm);
  pm.addPass(rangeify::createOutlineLoops());
  pm.addPass(rangeify::createCleanMovement());
  pm.addPass(rangeify::createAssignRanges());
  pm.addPass(rangeify::createFoldLoads());
  pm.addPass(rangeify::createSplitReductions());
  pm.addPass(rangeify::createSimplifyIndices());
  pm.addPass(rangeify::createSplitRanges());
  pm.addPass(rangeify::createSimplifyIndices());
  pm.addPass(rangeify::createMergeRanges());
  pm.addPass(rangeify::createSimplifyIndices());
  pm.addPass(rangeify::createRaiseAccesses());
  pm.addPass(rangeify::createVerifyRangeified());
}

void pypto::buildGraphPipeline(OpPassManager &pm) {
  buildRangeifyPipeline(pm);
  pm.addPass(rangeify::createSplitKernels());
  pm.addPass(rangeify::createScheduleKernels());
}

void pypto::buildNaiveGraphPipeline(OpPassManager &pm) {
  addGraphPreparation(pm);
  pm.addPass(rangeify::createSplitKernels({/*single=*/true}));
}

/// The ops of the graph as loop nests.
static void addNaiveLoopNests(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  pm.addPass(createConvertTensorToLinalgPass());
}

void pypto::buildKernelOptimizationPipeline(OpPassManager &pm, bool naive,
                                            const KernelPipelineOptions &options) {
  if (naive) {
    addNaiveLoopNests(pm);
    addBufferization(pm);
    return;
  }
  addFusion(pm);
  addBufferization(pm);
  addLoops(pm, options.beam, options.progress);
}

void pypto::buildKernelLoweringPipeline(OpPassManager &pm, bool naive) {
  addLowerings(pm, /*optimize=*/!naive, /*barePointers=*/true);
}

void pypto::buildKernelPipeline(OpPassManager &pm, const KernelPipelineOptions &options) {
  buildKernelOptimizationPipeline(pm, /*naive=*/false, options);
  buildKernelLoweringPipeline(pm, /*naive=*/false);
}

void pypto::buildBufferPipeline(OpPassManager &pm, const ProductTarget &target) {
  addLoops(pm, /*beam=*/0, /*progress=*/false, target);
  addLowerings(pm, /*optimize=*/true);
}

void pypto::buildNaiveKernelPipeline(OpPassManager &pm) {
  buildKernelOptimizationPipeline(pm, /*naive=*/true);
  buildKernelLoweringPipeline(pm, /*naive=*/true);
}

void pypto::buildKernelLoopsPipeline(OpPassManager &pm) {
  addNaiveLoopNests(pm);
  addBufferization(pm);
  pm.addPass(createConvertMemRefCopyToLinalg());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs = {"bf16"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  math::MathExtendToSupportedTypesOptions functions;
  functions.extraTypeStrs = {"f16"};
  pm.addPass(math::createMathExtendToSupportedTypes(functions));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void pypto::registerPipelines() {
  PassPipelineRegistration<>("rangeify",
                             "Loop nests with index arithmetic of a graph of tensor ops",
                             buildRangeifyPipeline);
  PassPipelineRegistration<>("pypto-graph-pipeline", "A graph of tensor ops to kernels",
                             buildGraphPipeline);
  PassPipelineRegistration<>("pypto-naive-graph-pipeline",
                             "A graph of tensor ops to one kernel, as it is",
                             buildNaiveGraphPipeline);
  PassPipelineRegistration<KernelPipelineOptions>(
      "pypto-kernel-pipeline", "A kernel to the LLVM dialect", buildKernelPipeline);
  PassPipelineRegistration<>("pypto-naive-kernel-pipeline",
                             "A kernel to the LLVM dialect, by plain loops",
                             buildNaiveKernelPipeline);
  PassPipelineRegistration<>("pypto-kernel-loops-pipeline",
                             "A kernel to loops on scalars and buffers, as of C",
                             buildKernelLoopsPipeline);
  PassPipelineRegistration<CpuPipelineOptions>(
      "pypto-cpu-pipeline", "Any program to the LLVM dialect, for the CPU", buildCpuPipeline);
  PassPipelineRegistration<>("pypto-cpu-reference-pipeline",
                             "Any program to the LLVM dialect, by the passes that this needs",
                             buildCpuReferencePipeline);
  PassPipelineRegistration<CpuPipelineOptions>("pypto-cpu-front-pipeline",
                                               "Any program to linalg on tensors, for the CPU",
                                               buildCpuFrontPipeline);
  PassPipelineRegistration<CpuPipelineOptions>(
      "pypto-cpu-back-pipeline", "From linalg on tensors to the LLVM dialect, for the CPU",
      buildCpuBackPipeline);
}
