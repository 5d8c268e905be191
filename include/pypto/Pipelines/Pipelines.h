// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_PIPELINES_PIPELINES_H
#define PYPTO_PIPELINES_PIPELINES_H

#include "pypto/Transforms/Schedule.h"

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

// The only place where passes are put in order.
namespace pypto {

/// How much the CPU pipelines do.
enum class OptLevel {
  /// One loop nest for each operation, a copy at each read: what the optimised program is compared
  /// with.
  None,
  Default
};

struct CpuPipelineOptions : mlir::PassPipelineOptions<CpuPipelineOptions> {
  Option<OptLevel> level{*this, "opt", llvm::cl::desc("How much to optimise"),
                         llvm::cl::init(OptLevel::Default),
                         llvm::cl::values(clEnumValN(OptLevel::None, "none", "Nothing"),
                                          clEnumValN(OptLevel::Default, "default",
                                                     "Fusion, vector code, fewer copies"))};
  Option<bool> checkBounds{
      *this, "check-bounds",
      llvm::cl::desc("Ends the run with an error where an access is out of range"),
      llvm::cl::init(false)};
  Option<unsigned> beam{
      *this, "beam",
      llvm::cl::desc("Searches schedules by measuring, and goes on with so many in each round"),
      llvm::cl::init(0)};
  Option<bool> progress{*this, "progress", llvm::cl::desc("Draws the state of searches on stderr"),
                        llvm::cl::init(false)};
  bool optimize() const { return level != OptLevel::None; }
};

/// From any program to linalg on tensors over memrefs: the front passes and
/// `--convert-pypto-to-linalg`.
void buildCpuFrontPipeline(mlir::OpPassManager &pm, const CpuPipelineOptions &options = {});
/// From there to the LLVM dialect: bufferization, deallocation, loops, LLVM.
void buildCpuBackPipeline(mlir::OpPassManager &pm, const CpuPipelineOptions &options = {});
/// Both: `--pypto-cpu-pipeline`.
void buildCpuPipeline(mlir::OpPassManager &pm, const CpuPipelineOptions &options = {});

/// The same without the passes that are there for speed: what a doubtful result is compared with.
void buildCpuReferencePipeline(mlir::OpPassManager &pm);
/// Graphs of tensor ops (see pypto/Rangeify/Passes.h). `--rangeify`: to loop nests without
/// movement.
void buildRangeifyPipeline(mlir::OpPassManager &pm);
/// To kernels, and a host that calls them.
void buildGraphPipeline(mlir::OpPassManager &pm);
/// To one kernel with the ops of the graph: what optimised code is compared with.
void buildNaiveGraphPipeline(mlir::OpPassManager &pm);
struct KernelPipelineOptions : mlir::PassPipelineOptions<KernelPipelineOptions> {
  Option<unsigned> beam{
      *this, "beam",
      llvm::cl::desc("Searches schedules by measuring, and goes on with so many in each round"),
      llvm::cl::init(0)};
  Option<bool> progress{*this, "progress", llvm::cl::desc("Draws the state of searches on stderr"),
                        llvm::cl::init(false)};
};

/// A module with one kernel to buffers, and to vectors unless it is `naive`; from there to the LLVM
/// dialect, where its buffers are pointers.
void buildKernelOptimizationPipeline(mlir::OpPassManager &pm, bool naive,
                                     const KernelPipelineOptions &options = {});
void buildKernelLoweringPipeline(mlir::OpPassManager &pm, bool naive);
/// A module with one kernel to what C has: loops, branches, scalars and buffers.
void buildKernelLoopsPipeline(mlir::OpPassManager &pm);
/// A module with one kernel to the LLVM dialect.
void buildKernelPipeline(mlir::OpPassManager &pm, const KernelPipelineOptions &options = {});
void buildNaiveKernelPipeline(mlir::OpPassManager &pm);

/// Bits of the vectors of this machine, and what it has for matrix products.
int64_t getHostVectorBits();
ProductTarget getHostProductTarget();
/// From linalg on buffers to the LLVM dialect, for this machine or one that has more.
void buildBufferPipeline(mlir::OpPassManager &pm,
                         const ProductTarget &target = getHostProductTarget());

/// Registers the named pipelines.
void registerPipelines();

} // namespace pypto

#endif
