// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A child of the switch: has its elements reduced. */
final class BenchSwitchChild implements RateChildren.Child {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(60);

  private final CollNet collNet;
  private final CollComm comm;
  private final int ranks;
  private final long count;
  private final MemorySegment result;
  private final MemoryHandle from;
  private final MemoryHandle into;

  private BenchSwitchChild(
      CollNet collNet, CollComm comm, int rank, int ranks, int bytes, Arena arena) {
    this.collNet = collNet;
    this.comm = comm;
    this.ranks = ranks;
    this.count = bytes / FLOAT.byteSize();
    MemorySegment contribution = arena.allocate(bytes, 4096);
    this.result = arena.allocate(bytes, 4096);
    for (long i = 0; i < count; i++) {
      contribution.setAtIndex(FLOAT, i, element(rank, i));
    }
    this.from = collNet.regMr(comm, Memory.ofHost(contribution));
    this.into = collNet.regMr(comm, Memory.ofHost(result));
  }

  /** Makes the group; each member connects on a thread of its own. */
  static List<BenchSwitchChild> connect(int ranks, int bytes, Arena arena, ExecutorService threads)
      throws InterruptedException, ExecutionException {
    Plugins plugins = new Plugins();
    CollNet collNet = Plugins.collNet();
    NetContext context = collNet.init(0, Plugins.LOG);
    if (collNet.devices() < 1) {
      throw new IllegalStateException("the plugin Switch has no devices");
    }
    MemorySegment[] handles = new MemorySegment[ranks];
    List<Callable<BenchSwitchChild>> joins = new ArrayList<>();
    for (int i = 0; i < ranks; i++) {
      int rank = i;
      handles[i] = arena.allocate(CollNet.HANDLE_MAXSIZE);
      ListenComm listener = collNet.listen(context, 0, handles[i]);
      joins.add(() -> {
        CollComm comm =
            plugins.await("the switch", () -> collNet.connect(handles, ranks, rank, listener));
        collNet.closeListen(listener);
        return new BenchSwitchChild(collNet, comm, rank, ranks, bytes, arena);
      });
    }
    List<BenchSwitchChild> children = new ArrayList<>();
    for (Future<BenchSwitchChild> each : threads.invokeAll(joins)) {
      children.add(each.get());
    }
    return children;
  }

  @Override
  public void run(int times) {
    long deadline = System.nanoTime() + NANOS;
    Idle idle = new Idle();
    for (int i = 0; i < times; i++) {
      Request request = null;
      while (request == null) {
        request =
            collNet.iallreduce(comm, from, 0, into, 0, count, DataType.FLOAT32, ReductionOp.SUM);
        idle.step(request != null);
      }
      while (!collNet.test(request, null)) {
        idle.step(false);
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException("the switch has not answered for a minute");
        }
      }
      idle.step(true);
    }
  }

  @Override
  public void check() {
    for (long i = 0; i < count; i++) {
      float expected = 0;
      for (int rank = 0; rank < ranks; rank++) {
        expected += element(rank, i);
      }
      float got = result.getAtIndex(FLOAT, i);
      if (got != expected) {
        throw new IllegalStateException("element " + i + " is " + got + ", expected " + expected);
      }
    }
  }

  /** Small whole numbers: their sum is exact in every order. */
  private static float element(int rank, long i) {
    return (i * 7 + rank * 131L) % 1021;
  }
}
