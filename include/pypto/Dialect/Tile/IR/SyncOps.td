// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identity of the block that runs, synchronisation, queues between cores.
#ifndef PYPTO_DIALECT_TILE_IR_SYNCOPS_TD
#define PYPTO_DIALECT_TILE_IR_SYNCOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "pypto/Dialect/Tile/IR/TileBase.td"

//===- Block identity ---------------------------------------------------------===//

class Tile_BlockOp<string mnemonic, string text>
    : Tile_Op<mnemonic, [MemoryEffects<[MemRead<Tile_BlockResource>]>]> {
  let summary = text;
  let description = text # [{. Differs between the blocks of a launch, so it is never `Pure`: nothing moves it
    into or out of a launch.

    Example: `%i = tile.}] # mnemonic # "`";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_GetBlockIdxOp : Tile_BlockOp<"get_block_idx", "Index of the block that runs">;
def Tile_GetBlockNumOp : Tile_BlockOp<"get_block_num", "Number of blocks of the launch">;
def Tile_GetSubblockIdxOp : Tile_BlockOp<"get_subblock_idx", "Index of the vector core within its pair">;

//===- Synchronisation within a core --------------------------------------------===//

/// Never erased, merged or moved over another one of its kind.
class Tile_SyncOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits # [MemoryEffects<[MemRead<Tile_SyncResource>, MemWrite<Tile_SyncResource>]>]> {
  let assemblyFormat = "attr-dict";
}

def Tile_BarAllOp : Tile_SyncOp<"bar_all"> {
  let summary = "Waits until every unit of the core is done";
  let description = [{Example: `tile.bar_all`}];
}
def Tile_BarVOp : Tile_SyncOp<"bar_v"> {
  let summary = "Waits until the vector unit is done";
  let description = [{Example: `tile.bar_v`}];
}
def Tile_BarMOp : Tile_SyncOp<"bar_m"> {
  let summary = "Waits until the cube unit is done";
  let description = [{Example: `tile.bar_m`}];
}
def Tile_FenceOp : Tile_SyncOp<"fence"> {
  let summary = "Makes what the core has written visible to others before what it writes next";
  let description = [{Example: `tile.fence`}];
}

class Tile_EventOp<string mnemonic> : Tile_SyncOp<mnemonic> {
  let arguments = (ins Tile_PipeAttr:$set_pipe, Tile_PipeAttr:$wait_pipe,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$event_id);
  let assemblyFormat = "`` $set_pipe `->` `` $wait_pipe `event` $event_id attr-dict";
}

def Tile_SyncSrcOp : Tile_EventOp<"sync_src"> {
  let summary = "Sets an event once a unit has come here";
  let description = [{
    What `set_pipe` was given before is done when the event is set; `tile.sync_dst` makes `wait_pipe` wait for it.

    Example: `tile.sync_src mte2 -> v event 0`
  }];
}
def Tile_SyncDstOp : Tile_EventOp<"sync_dst"> {
  let summary = "Makes a unit wait for an event";
  let description = [{
    `wait_pipe` starts nothing after this before `tile.sync_src` of the same units and event has set it.

    Example: `tile.sync_dst mte2 -> v event 0`
  }];
}

def Tile_SetFftsOp : Tile_SyncOp<"set_ffts"> {
  let summary = "Tells the core where the flags between cores are";
  let description = [{The tensor itself is not accessed. Example: `tile.set_ffts %w : !pl.tensor<[256], i64>`}];
  let arguments = (ins PL_TensorType:$workspace);
  let assemblyFormat = "$workspace attr-dict `:` qualified(type($workspace))";
}

//===- Signals in global memory ---------------------------------------------------===//

/// Waits for an element of a tensor.
class Tile_WaitBaseOp<string mnemonic> : Tile_Op<mnemonic, [
    MemoryEffects<[MemRead<Tile_SyncResource>, MemWrite<Tile_SyncResource>]>,
    TypesMatchWith<"the expected value is an element", "signal", "expected", "::pypto::pl::getScalarType(::llvm::cast<::pypto::pl::TensorType>($_self).getElementType())">]> {
  let arguments = (ins PL_CmpKindAttr:$kind, Arg<PL_TensorType, "", [MemRead]>:$signal, Variadic<Index>:$indices,
    DenseI64ArrayAttr:$static_indices, PL_ScalarType:$expected);
  let assemblyFormat = [{
    `` $kind $signal `` custom<DynamicIndexList>($indices, $static_indices) `,` $expected attr-dict
    `:` qualified(type($signal))
  }];
  let hasVerifier = 1;
}

def Tile_WaitOp : Tile_WaitBaseOp<"wait"> {
  let summary = "Waits until a signal has a value";
  let description = [{
    Goes on once the element of the tensor compares as said with the expected value.

    - C1: one index per dimension;
    - C2: a constant index is in range.

    Example: `tile.wait ge %s[%i], %n : !pl.tensor<[8], i32>`
  }];
}

def Tile_DeferWaitOp : Tile_WaitBaseOp<"defer_wait"> {
  let summary = "Makes the end of the task wait until a signal has a value";
  let description = [{
    Goes on at once; the task counts as done only when the element compares as said with the expected value.

    - C1: one index per dimension;
    - C2: a constant index is in range.

    Example: `tile.defer_wait ge %s[%i], %n : !pl.tensor<[8], i32>`
  }];
}

def Tile_NotifyOp : Tile_Op<"notify", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"the value is an element", "signal", "value", "::pypto::pl::getScalarType(::llvm::cast<::pypto::pl::TensorType>($_self).getElementType())">]> {
  let summary = "Sets a signal, or adds to it";
  let description = [{
    Writes the element once everything before is visible to others. With `peer` it is the element of the same tensor
    on that rank. It must run once only: nothing duplicates it.

    - C1: one index per dimension;
    - C2: a constant index is in range.

    Example: `tile.notify add %n, %s[%i] peer %p : !pl.tensor<[8], i32>`
  }];
  let arguments = (ins Tile_NotifyKindAttr:$kind, PL_ScalarType:$value, PL_TensorType:$signal, Variadic<Index>:$indices,
    DenseI64ArrayAttr:$static_indices, Optional<Index>:$peer);
  let assemblyFormat = [{
    `` $kind $value `,` $signal `` custom<DynamicIndexList>($indices, $static_indices) (`peer` $peer^)? attr-dict
    `:` qualified(type($signal))
  }];
  let hasVerifier = 1;
}

//===- Queues between the cores of a group ------------------------------------------===//

class Tile_PipeOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits # [MemoryEffects<[MemRead<Tile_PipeResource>, MemWrite<Tile_PipeResource>]>]>;

defvar Tile_QueueArguments = (ins DefaultValuedAttr<PL_SplitModeAttr, "::pypto::pl::SplitMode::None">:$split,
  DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$id);

class Tile_PushOp<string mnemonic, string from, string to> : Tile_PipeOp<mnemonic> {
  let summary = "Pushes a tile from a " # from # " core to the " # to # " cores of its group";
  let description = summary # [{. With `split` each of the two gets one half.

    Example: `tile.}] # mnemonic # [{ %t split up_down id 1 : !tile.tile<[16, 64], f32>`
  }];
  let arguments = !con((ins Tile_TileType:$source), Tile_QueueArguments);
  let assemblyFormat = "$source (`split` `` $split^)? (`id` $id^)? attr-dict `:` qualified(type($source))";
}

def Tile_TPushToAivOp : Tile_PushOp<"tpush_to_aiv", "cube", "vector">;
def Tile_TPushToAicOp : Tile_PushOp<"tpush_to_aic", "vector", "cube">;

class Tile_PopOp<string mnemonic, string from> : Tile_PipeOp<mnemonic> {
  let summary = "Takes the next tile that a " # from # " core pushed";
  let description = summary # [{. Its type is the author's to say.

    - C1: one operand in `valid` per `?` of the valid shape.

    Example: `%t = tile.}] # mnemonic # [{ id 1 : !tile.tile<[16, 64], f32>`
  }];
  let arguments = !con((ins Variadic<Index>:$valid), Tile_QueueArguments);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    (`valid` `(` $valid^ `)`)? (`split` `` $split^)? (`id` $id^)? attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_TPopFromAicOp : Tile_PopOp<"tpop_from_aic", "cube">;
def Tile_TPopFromAivOp : Tile_PopOp<"tpop_from_aiv", "vector">;

class Tile_FreeOp<string mnemonic, string to> : Tile_PipeOp<mnemonic> {
  let summary = "Gives the slot of a popped tile back to the " # to # " core";
  let description = summary # [{. The tile is not used after.

    Example: `tile.}] # mnemonic # [{ %t : !tile.tile<[16, 64], f32>`
  }];
  let arguments = !con((ins Tile_TileType:$source), Tile_QueueArguments);
  let assemblyFormat = "$source (`split` `` $split^)? (`id` $id^)? attr-dict `:` qualified(type($source))";
}

def Tile_TFreeToAicOp : Tile_FreeOp<"tfree_to_aic", "cube">;
def Tile_TFreeToAivOp : Tile_FreeOp<"tfree_to_aiv", "vector">;

class Tile_InitializePipeOp<string mnemonic, string unit> : Tile_PipeOp<mnemonic, [AttrSizedOperandSegments]> {
  let summary = "Sets up the queues of a " # unit # " core";
  let description = [{
    `c2v` and `v2c` are the buffers of the queue from the cube to the vector cores and of the one back; a queue
    without a buffer does not exist.

    - C1: at least one of the two is given.

    Example: `tile.}] # mnemonic # [{ c2v %a v2c %b slot_size 4096 slot_num 2`
  }];
  let arguments = (ins Optional<Index>:$c2v, Optional<Index>:$v2c, ConfinedAttr<I64Attr, [IntPositive]>:$slot_size,
    ConfinedAttr<I64Attr, [IntPositive]>:$slot_num,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$id);
  let assemblyFormat = [{
    (`c2v` $c2v^)? (`v2c` $v2c^)? `slot_size` $slot_size `slot_num` $slot_num (`id` $id^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Tile_AicInitializePipeOp : Tile_InitializePipeOp<"aic_initialize_pipe", "cube">;
def Tile_AivInitializePipeOp : Tile_InitializePipeOp<"aiv_initialize_pipe", "vector">;

def Tile_ReserveBufferOp : Tile_PipeOp<"reserve_buffer"> {
  let summary = "Keeps a part of on-chip memory free for a queue";
  let description = [{
    The result is its address. Without `base` memory planning chooses it.

    Example: `%b = tile.reserve_buffer "slots" size 8192 base 0`
  }];
  let arguments = (ins StrAttr:$name, ConfinedAttr<I64Attr, [IntPositive]>:$size,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$base);
  let results = (outs Index:$result);
  let assemblyFormat = "$name `size` $size (`base` $base^)? attr-dict";
}

def Tile_ImportPeerBufferOp : Tile_PipeOp<"import_peer_buffer", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Address of a buffer that another core of the group keeps free";
  let description = [{
    C1: the peer is a `pl.func`. Example: `%b = tile.import_peer_buffer "slots" from @consumer`
  }];
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$peer);
  let results = (outs Index:$result);
  let assemblyFormat = "$name `from` $peer attr-dict";
}

#endif
