// RUN: pypto-opt --test-return-params-explicit --split-input-file --verify-diagnostics %s
// RUN: not pypto-opt --test-return-params-explicit %s -o /dev/null
// RUN: pypto-opt --normalize-return-order --test-return-params-explicit --split-input-file %s -o /dev/null
// NRO-52: a returned write-back is the parameter itself. The verifier follows the handles anew, and names the
// function, the position and the parameter. What is no write-back is no violation.

!tensor = !pl.tensor<[16], f32>

pl.func incore @kernel(%x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor, !tensor) {
  // expected-note@+1 {{this is the storage of parameter 2}}
  %0 = pl.assemble %x, %b[0] : !tensor, !tensor
  // expected-note@+1 {{this is the storage of parameter 1}}
  %1 = pl.cast_shape %a : !tensor -> !tensor
  // expected-error@+2 {{property 'ReturnParamsExplicit' does not hold: function 'kernel' returns parameter 2 as value 0 under another name}}
  // expected-error@+1 {{property 'ReturnParamsExplicit' does not hold: function 'kernel' returns parameter 1 as value 2 under another name}}
  pl.return %0, %b, %1 : !tensor, !tensor, !tensor
}

// -----

!tensor = !pl.tensor<[16], f32>

pl.func aiv @kernel(out %a: !tensor) -> !tensor {
  pl.return %a : !tensor
}
pl.func spmd @wrapper(out %p: !tensor) -> !tensor {
  // expected-note@+1 {{this is the storage of parameter 0}}
  %0 = pl.call @kernel(%p) : (!tensor) -> !tensor
  // expected-error@+1 {{function 'wrapper' returns parameter 0 as value 0 under another name}}
  pl.return %0 : !tensor
}
pl.func group @group(out %p: !tensor) -> !tensor {
  // expected-note@+1 {{this is the storage of parameter 0}}
  %0:2 = orchestration.submit @wrapper(%p) : (!tensor) -> (!tensor, !orchestration.task)
  // expected-error@+1 {{function 'group' returns parameter 0 as value 0 under another name}}
  pl.return %0#0 : !tensor
}
pl.func graph @graph(out %p: !tensor) -> !tensor {
  // expected-note@+1 {{this is the storage of parameter 0}}
  %0 = pl.call @group(%p) : (!tensor) -> !tensor
  // expected-error@+1 {{function 'graph' returns parameter 0 as value 0 under another name}}
  pl.return %0 : !tensor
}
pl.func aic @variable(%x: !tensor, out %p: !tensor) -> !tensor {
  %v = pl.var "v" = %x : !tensor
  pl.set %v, %p : !tensor
  // expected-note@+1 {{this is the storage of parameter 1}}
  %0 = pl.get %v : !tensor
  // expected-error@+1 {{function 'variable' returns parameter 1 as value 0 under another name}}
  pl.return %0 : !tensor
}

// -----

!tensor = !pl.tensor<[16], f32>
!narrow = !pl.tensor<[16], f32, valid = [8]>

pl.func private incore @by_hand(out !tensor) -> !tensor
pl.func incore @not_written_back(%n: index, out %a: !tensor) -> (!tensor, !tensor, !narrow, index) {
  %fresh = pl.create : !tensor
  %view = pl.slice %a[0] : !tensor -> !tensor
  %narrow = pl.set_validshape %a[8] : !tensor -> !narrow
  pl.return %fresh, %view, %narrow, %n : !tensor, !tensor, !narrow, index
}
pl.func group @of_unknown(out %a: !tensor) -> !tensor {
  %0 = pl.call @by_hand(%a) : (!tensor) -> !tensor
  pl.return %0 : !tensor
}
pl.func graph @merge(%c: i1, out %a: !tensor) -> !tensor {
  %0 = scf.if %c -> !tensor {
    scf.yield %a : !tensor
  } else {
    scf.yield %a : !tensor
  }
  pl.return %0 : !tensor
}
pl.func orchestration @orchestration(out %a: !tensor) -> !tensor {
  %0 = pl.cast_shape %a : !tensor -> !tensor
  pl.return %0 : !tensor
}
pl.func @opaque(out %a: !tensor) -> !tensor {
  %0 = pl.cast_shape %a : !tensor -> !tensor
  pl.return %0 : !tensor
}
