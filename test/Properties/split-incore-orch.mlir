// RUN: pypto-opt --normalize-return-order --split-input-file --verify-diagnostics %s
// RUN: not pypto-opt --normalize-return-order %s -o /dev/null
// RUN: pypto-opt --normalize-return-order --verify-properties=false --split-input-file %s -o /dev/null
// Code at the level of cores has to be in kernels.

pl.func @core_group() {
  // expected-error@+1 {{property 'SplitIncoreOrch' required by --normalize-return-order does not hold: 'pl.at core_group' in function 'core_group' is not a kernel yet}}
  pl.at core_group {
  }
  pl.return
}
pl.func orchestration @cores(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{'pl.at aiv' in function 'cores' is not a kernel yet}}
    pl.at aiv {
      // expected-error@+1 {{'pl.at aic' in function 'cores' is not a kernel yet}}
      pl.at aic {
      }
    }
  }
  pl.return
}

// -----

pl.func incore @kernel() {
  pl.at core_group {
  }
  pl.return
}
pl.func orchestration @host_level() {
  pl.at host {
    pl.cluster {
    }
  }
  pl.return
}
