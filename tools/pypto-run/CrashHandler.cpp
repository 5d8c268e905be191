// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CrashHandler.h"

#include "llvm/Support/Signals.h"
#include <csignal>
#include <cstring>
#include <execinfo.h>
#include <unistd.h>

/// No more than a handler may call.
static void print(const char *text) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

static const char *getName(int number) {
  switch (number) {
  case SIGABRT:
    return "SIGABRT";
  case SIGSEGV:
    return "SIGSEGV: an access that is out of range";
  case SIGBUS:
    return "SIGBUS";
  case SIGFPE:
    return "SIGFPE: a division";
  case SIGILL:
    return "SIGILL";
  default:
    return "a signal";
  }
}

static void handle(int number) {
  // Whatever hangs below ends with these.
  std::signal(SIGALRM, SIG_DFL);
  alarm(5);
  std::signal(number, SIG_DFL);
  print("error: the program, or pypto-run, ended by ");
  print(getName(number));
  print("\n");
  // Takes temporary files away.
  llvm::sys::RunInterruptHandlers();
  constexpr int maxFrames = 64;
  void *frames[maxFrames];
  backtrace_symbols_fd(frames, backtrace(frames, maxFrames), STDERR_FILENO);
  raise(number);
}

void installCrashHandler() {
  // The first call loads a library, which a handler must not.
  void *frame;
  backtrace(&frame, 1);
  struct sigaction action{};
  action.sa_handler = handle;
  // On the stack that LLVM has made, for the other one may be used up.
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  // A file that grows past a limit is an error of who writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  sigemptyset(&action.sa_mask);
  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    sigaction(number, &action, nullptr);
}
