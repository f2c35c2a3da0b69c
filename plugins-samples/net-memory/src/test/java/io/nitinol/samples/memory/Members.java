// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static io.nitinol.samples.memory.Wire.await;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v6.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** The members of one group, each with an instance of the plugin and memory of its own. */
final class Members implements AutoCloseable {
  static final int SIZE = 1 << 18;

  final int count;
  final Arena arena = Arena.ofShared();
  final Wire.Log log = new Wire.Log();
  final MemorySegment[] handles;
  final MemoryCollNet[] nets;
  final ListenComm[] listeners;
  final CollComm[] comms;
  final MemorySegment[] from;
  final MemorySegment[] into;
  final MemoryHandle[] fromMrs;
  final MemoryHandle[] intoMrs;

  Members(int count) throws Exception {
    this.count = count;
    handles = new MemorySegment[count];
    nets = new MemoryCollNet[count];
    listeners = new ListenComm[count];
    comms = new CollComm[count];
    from = new MemorySegment[count];
    into = new MemorySegment[count];
    fromMrs = new MemoryHandle[count];
    intoMrs = new MemoryHandle[count];
    for (int i = 0; i < count; i++) {
      nets[i] = new MemoryCollNet();
      nets[i].init(log);
      handles[i] = arena.allocate(CollNet.HANDLE_MAXSIZE);
      listeners[i] = nets[i].listen(i % 2, handles[i]);
    }
    onThreads(i -> {
      comms[i] = nets[i].connect(handles, count, i, listeners[i]);
      return true;
    });
    for (int i = 0; i < count; i++) {
      nets[i].closeListen(listeners[i]); // COLL-20
      from[i] = arena.allocate(SIZE);
      into[i] = arena.allocate(SIZE);
      fromMrs[i] = nets[i].regMr(comms[i], Memory.ofHost(from[i]));
      intoMrs[i] = nets[i].regMr(comms[i], Memory.ofHost(into[i]));
    }
  }

  /** Does something on a thread for each member; fails as the first of them does. */
  void onThreads(IntPredicate work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int member = i;
        all.add(threads.submit(() -> work.test(member)));
      }
      for (Future<Boolean> one : all) {
        one.get(70, TimeUnit.SECONDS);
      }
    }
  }

  Request start(int member, long offset, long elements, DataType type, ReductionOp op) {
    return nets[member].iallreduce(
        comms[member], fromMrs[member], offset, intoMrs[member], offset, elements, type, op);
  }

  /** Reduces the first elements, all members in turn on this thread; returns the size reported. */
  int reduce(long elements, DataType type, ReductionOp op) {
    Request[] requests = new Request[count];
    for (int i = 0; i < count; i++) {
      requests[i] = start(i, 0, elements, type, op);
    }
    int[] size = {-1};
    await(() -> {
      boolean done = true;
      for (int i = 0; i < count; i++) {
        if (requests[i] != null && nets[i].test(requests[i], size)) {
          requests[i] = null;
        }
        done &= requests[i] == null;
      }
      return done;
    });
    return size[0];
  }

  @Override
  public void close() {
    arena.close();
  }
}
