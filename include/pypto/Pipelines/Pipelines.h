// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_PIPELINES_PIPELINES_H
#define PYPTO_PIPELINES_PIPELINES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

// The only place where passes are put in order.
namespace pypto {

/// From any program to linalg on tensors over memrefs: the front passes and
/// `--convert-pypto-to-linalg`.
void buildCpuFrontPipeline(mlir::OpPassManager &pm);
/// From there to the LLVM dialect: bufferization, deallocation, loops, LLVM.
void buildCpuBackPipeline(mlir::OpPassManager &pm);
/// Both: `--pypto-cpu-pipeline`.
void buildCpuPipeline(mlir::OpPassManager &pm);

/// The same without the passes that are there for speed: what a doubtful result is compared with.
void buildCpuReferencePipeline(mlir::OpPassManager &pm);

/// Registers the named pipelines.
void registerPipelines();

} // namespace pypto

#endif
