// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of signals, events and queues, one each.

pl.func inline @wait_c1(%s: !pl.tensor<[8], i32>, %n: i32) {
  // expected-error @below {{C1: expects one index per dimension (1), but got 0}}
  tile.wait ge %s[], %n : !pl.tensor<[8], i32>
  pl.return
}

// -----

pl.func inline @wait_c2(%s: !pl.tensor<[8], i32>, %n: i32) {
  // expected-error @below {{C2: expects an index inside dimension 0 of}}
  tile.wait ge %s[8], %n : !pl.tensor<[8], i32>
  pl.return
}

// -----

pl.func inline @defer_wait_c1(%s: !pl.tensor<[8], i32>, %n: i32) {
  // expected-error @below {{C1: expects one index per dimension (1), but got 2}}
  tile.defer_wait ge %s[0, 0], %n : !pl.tensor<[8], i32>
  pl.return
}

// -----

pl.func inline @defer_wait_c2(%s: !pl.tensor<[8], i32>, %n: i32) {
  // expected-error @below {{C2: expects an index inside dimension 0 of}}
  tile.defer_wait ge %s[-1], %n : !pl.tensor<[8], i32>
  pl.return
}

// -----

pl.func inline @notify_c1(%s: !pl.tensor<[8], i32>, %n: i32) {
  // expected-error @below {{C1: expects one index per dimension (1), but got 0}}
  tile.notify set %n, %s[] : !pl.tensor<[8], i32>
  pl.return
}

// -----

pl.func inline @notify_c2(%s: !pl.tensor<[8], i32>, %n: i32) {
  // expected-error @below {{C2: expects an index inside dimension 0 of}}
  tile.notify set %n, %s[9] : !pl.tensor<[8], i32>
  pl.return
}

// -----

pl.func inline @sync_src_event() {
  // expected-error @below {{attribute 'event_id' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  tile.sync_src mte2 -> v event -1
  pl.return
}

// -----

pl.func inline @tpop_from_aic_c1() {
  // expected-error @below {{C1: expects 1 operand for the '?' of its type, but got 0}}
  %0 = tile.tpop_from_aic : !tile.tile<[4], f32, valid = [?]>
  pl.return
}

// -----

pl.func inline @tpop_from_aiv_c1(%n: index) {
  // expected-error @below {{C1: expects 0 operands for the '?' of its type, but got 1}}
  %0 = tile.tpop_from_aiv valid(%n) : !tile.tile<[4], f32>
  pl.return
}

// -----

pl.func inline @aic_initialize_pipe_c1() {
  // expected-error @below {{C1: expects the buffer of at least one queue}}
  tile.aic_initialize_pipe slot_size 64 slot_num 2
  pl.return
}

// -----

pl.func inline @aiv_initialize_pipe_c1() {
  // expected-error @below {{C1: expects the buffer of at least one queue}}
  tile.aiv_initialize_pipe slot_size 64 slot_num 2
  pl.return
}

// -----

pl.func inline @slot_num(%b: index) {
  // expected-error @below {{attribute 'slot_num' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  tile.aiv_initialize_pipe c2v %b slot_size 64 slot_num 0
  pl.return
}

// -----

pl.func inline @reserve_buffer_size() {
  // expected-error @below {{attribute 'size' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = tile.reserve_buffer "b" size 0
  pl.return
}

// -----

pl.func inline @import_peer_buffer_c1() {
  // expected-error @below {{C1: expects a 'pl.func' named 'nobody'}}
  %0 = tile.import_peer_buffer "b" from @nobody
  pl.return
}
