// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Batch.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace fuzzer;

Progress *fuzzer::createProgress() {
  void *memory =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    report_fatal_error("cannot map shared memory");
  return new (memory) Progress();
}

/// The input has had its CPU time: say where it is.
static void onCpuLimit(int) {
  // Printing may itself wait for a lock that the input holds.
  alarm(20);
  errs() << "hang\n";
  sys::PrintStackTrace(errs());
  _exit(kHangExitCode);
}

static void redirect(StringRef path, int descriptor) {
  int file = open(SmallString<128>(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0)
    return;
  dup2(file, descriptor);
  close(file);
}

[[noreturn]] static void runChild(Progress *progress, uint64_t begin, uint64_t end,
                                  const Limits &limits, StringRef logPath,
                                  function_ref<void(uint64_t)> body) {
  redirect(logPath, STDERR_FILENO);
  redirect("/dev/null", STDOUT_FILENO);
  rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  signal(SIGPROF, onCpuLimit);
  for (uint64_t index = begin; index < end; ++index) {
    progress->current = index;
    ++progress->started;
    itimerval timer{{0, 0}, {static_cast<time_t>(limits.cpuSeconds), 0}};
    setitimer(ITIMER_PROF, &timer, nullptr);
    body(index);
  }
  // No destructors: the parent's files and the sanitizer's leak check are not this process's
  // business.
  _exit(0);
}

/// Resident megabytes of a process, 0 if it is gone.
static unsigned residentMegabytes(pid_t pid) {
  std::string path = "/proc/" + std::to_string(pid) + "/statm";
  unsigned long total = 0, resident = 0;
  if (FILE *file = fopen(path.c_str(), "r")) {
    if (fscanf(file, "%lu %lu", &total, &resident) != 2)
      resident = 0;
    fclose(file);
  }
  return resident * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
}

static BatchResult endChild(pid_t pid, Failure failure) {
  BatchResult result{failure};
  kill(pid, SIGKILL);
  waitpid(pid, &result.status, 0);
  return result;
}

static BatchResult watchChild(Progress *progress, pid_t pid, const Limits &limits) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point since = Clock::now();
  uint64_t last = progress->started;
  while (true) {
    BatchResult result;
    if (waitpid(pid, &result.status, WNOHANG) == pid) {
      if (WIFEXITED(result.status) && WEXITSTATUS(result.status) == kHangExitCode)
        result.failure = Failure::Hang;
      else if (result.status != 0)
        result.failure = Failure::Crash;
      return result;
    }
    usleep(2000);
    if (progress->started != last) {
      last = progress->started;
      since = Clock::now();
    }
    if (Clock::now() - since > std::chrono::seconds(limits.wallSeconds))
      return endChild(pid, Failure::Hang);
    if (residentMegabytes(pid) > limits.megabytes)
      return endChild(pid, Failure::Memory);
  }
}

BatchResult fuzzer::runBatch(Progress *progress, uint64_t begin, uint64_t end, const Limits &limits,
                             StringRef logPath, function_ref<void(uint64_t)> body) {
  progress->current = begin;
  pid_t pid = fork();
  if (pid < 0)
    report_fatal_error("cannot fork");
  if (pid == 0)
    runChild(progress, begin, end, limits, logPath, body);
  return watchChild(progress, pid, limits);
}
