// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TileEmulator.h"

#include <atomic>
#include <cstring>
#include <ucontext.h>

using namespace pypto::test;

#ifdef __x86_64__
namespace {
struct Tile {
  alignas(64) uint8_t bytes[16][64];
};

/// What the 64 bytes in memory say of each tile, and the tiles.
struct State {
  uint8_t rows[8];
  uint16_t rowBytes[8];
  Tile tiles[8];
};

/// A decoded instruction with a three-byte VEX prefix.
struct Instruction {
  /// 0 none, 1: 66, 2: F3, 3: F2.
  uint8_t prefix, opcode, mod, reg, rm, vvvv;
  uint64_t length, address, stride;
};
} // namespace

static thread_local State state;
static std::atomic<int64_t> numProducts;

/// The number of a register in the context of a signal.
static int64_t &getRegister(ucontext_t &context, unsigned number) {
  static constexpr int kPlaces[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
  return reinterpret_cast<int64_t &>(context.uc_mcontext.gregs[kPlaces[number]]);
}

/// The operand in memory, of which `at` is behind the ModRM byte.
static void decodeAddress(Instruction &in, const uint8_t *&at, bool extendsIndex, bool extendsBase,
                          ucontext_t &context) {
  unsigned base = in.rm, index = 4, scale = 0;
  if (in.rm == 4) {
    scale = *at >> 6;
    index = (*at >> 3) & 7;
    base = *at++ & 7;
  }
  bool hasBase = !(in.mod == 0 && base == 5);
  index |= extendsIndex ? 8 : 0;
  in.stride = in.rm == 4 && index != 4 ? uint64_t(getRegister(context, index)) << scale : 0;
  in.address = hasBase ? uint64_t(getRegister(context, base | (extendsBase ? 8 : 0))) : 0;
  if (in.mod == 1) {
    in.address += uint64_t(int64_t(int8_t(*at++)));
  } else if (in.mod == 2 || !hasBase) {
    int32_t displacement;
    memcpy(&displacement, at, 4);
    at += 4;
    in.address += uint64_t(int64_t(displacement));
  }
}

static bool decode(const uint8_t *code, ucontext_t &context, Instruction &in) {
  // C4, map 0F38, 128 bits.
  if (code[0] != 0xC4 || (code[1] & 0x1F) != 2 || (code[2] & 0x84) != 0)
    return false;
  in.prefix = code[2] & 3;
  in.vvvv = (~code[2] >> 3) & 15;
  in.opcode = code[3];
  in.mod = code[4] >> 6;
  in.reg = (code[4] >> 3) & 7;
  in.rm = code[4] & 7;
  const uint8_t *at = code + 5;
  if (in.mod != 3)
    decodeAddress(in, at, !(code[1] & 0x40), !(code[1] & 0x20), context);
  in.length = uint64_t(at - code);
  return true;
}

static float widen(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  memcpy(&value, &wide, 4);
  return value;
}

static void multiply(unsigned sum, unsigned left, unsigned right) {
  auto get = [](unsigned tile, unsigned row, unsigned place) {
    uint16_t bits;
    memcpy(&bits, &state.tiles[tile].bytes[row][2 * place], 2);
    return widen(bits);
  };
  for (unsigned m = 0; m != state.rows[sum]; ++m)
    for (unsigned n = 0; n != state.rowBytes[sum] / 4u; ++n) {
      float value;
      memcpy(&value, &state.tiles[sum].bytes[m][4 * n], 4);
      for (unsigned k = 0; k != state.rowBytes[left] / 4u; ++k) {
        value += get(left, m, 2 * k) * get(right, k, 2 * n);
        value += get(left, m, 2 * k + 1) * get(right, k, 2 * n + 1);
      }
      memcpy(&state.tiles[sum].bytes[m][4 * n], &value, 4);
    }
  ++numProducts;
}

static void configure(const uint8_t *from) {
  memset(&state, 0, sizeof state);
  memcpy(state.rowBytes, from + 16, sizeof state.rowBytes);
  memcpy(state.rows, from + 48, sizeof state.rows);
}

/// False if it is no instruction of tiles.
static bool execute(const Instruction &in) {
  auto *memory = reinterpret_cast<uint8_t *>(in.address);
  Tile &tile = state.tiles[in.reg];
  switch (in.opcode) {
  case 0x49:
    if (in.mod == 3 && in.prefix == 3)
      memset(&tile, 0, sizeof tile);
    else if (in.mod == 3 && in.prefix == 0)
      memset(&state, 0, sizeof state);
    else if (in.mod != 3 && in.prefix == 0)
      configure(memory);
    else
      return false;
    return true;
  case 0x4B:
    if (in.mod == 3 || (in.prefix != 2 && in.prefix != 3))
      return false;
    for (unsigned row = 0; row != state.rows[in.reg]; ++row) {
      uint8_t *place = memory + row * in.stride;
      if (in.prefix == 3)
        memcpy(tile.bytes[row], place, state.rowBytes[in.reg]);
      else
        memcpy(place, tile.bytes[row], state.rowBytes[in.reg]);
    }
    return true;
  case 0x5C:
    if (in.mod != 3 || in.prefix != 2)
      return false;
    multiply(in.reg, in.rm, in.vvvv);
    return true;
  default:
    return false;
  }
}

static void handle(int, siginfo_t *, void *pointer) {
  auto &context = *static_cast<ucontext_t *>(pointer);
  auto *code = reinterpret_cast<const uint8_t *>(context.uc_mcontext.gregs[REG_RIP]);
  Instruction in{};
  if (decode(code, context, in) && execute(in))
    context.uc_mcontext.gregs[REG_RIP] += int64_t(in.length);
  else
    signal(SIGILL, SIG_DFL); // it happens again, and ends the process
}
#else
static void handle(int, siginfo_t *, void *) { signal(SIGILL, SIG_DFL); }
static int64_t numProducts = 0;
#endif

TileEmulator::TileEmulator() {
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGILL, &action, &before);
}

TileEmulator::~TileEmulator() { sigaction(SIGILL, &before, nullptr); }

int64_t TileEmulator::countProducts() { return numProducts; }
