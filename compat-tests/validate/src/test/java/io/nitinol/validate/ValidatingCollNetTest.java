// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.plugin.ValidationMode;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ValidatingCollNetTest {
  private static final int BYTES = 1024;

  private final RecordedLog log = new RecordedLog();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(BYTES, 8);
  private final MemorySegment handle = arena.allocate(CollNet.HANDLE_MAXSIZE, 8);

  @AfterEach
  void close() {
    arena.close();
  }

  /** A watched member of a group, with memory registered. */
  private final class Group {
    final ValidatingCollNet net;
    final NetContext context;
    final ListenComm listener;
    final CollComm comm;
    final MemoryHandle mr;

    Group(CollNet plugin) {
      net = new ValidatingCollNet(plugin, 6, ValidationMode.REPORT, log);
      context = net.init(1, log);
      net.devices();
      net.reduceSupport(DataType.INT8, ReductionOp.SUM);
      net.reduceSupport(DataType.INT8, ReductionOp.MAX);
      listener = net.listen(context, 0, handle.fill((byte) 0));
      comm = net.connect(new MemorySegment[] {handle}, 1, 0, listener);
      mr = net.regMr(comm, Memory.ofHost(memory));
    }

    @Nullable Request reduce(long from, long to, long count) {
      return net.iallreduce(comm, mr, from, mr, to, count, DataType.INT8, ReductionOp.SUM);
    }

    void found(Party party, String... rules) {
      assertThat(net.violations().counts(party)).as("%s", log.lines()).containsOnlyKeys(rules);
      assertThat(net.violations().counts()).as("%s", log.lines()).containsOnlyKeys(rules);
    }
  }

  @Test
  void aRightCallerOverARightPlugin() {
    Group group = new Group(new LoneCollNet());
    int[] sizes = new int[1];
    for (int i = 0; i < 100; i++) {
      memory.asSlice(0, 64).fill((byte) i);
      Request apart = Objects.requireNonNull(group.reduce(0, 512, 64));
      assertThat(group.net.test(apart, sizes)).isTrue();
      assertThat(sizes[0]).isEqualTo(64);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 575)).isEqualTo((byte) i);
      Request inPlace = Objects.requireNonNull(group.reduce(512, 512, 64));
      assertThat(group.net.test(inPlace, null)).isTrue();
    }
    assertThat(group.net.iflush(group.comm, group.mr, 0, 16)).isNull();
    group.net.deregMr(group.comm, group.mr);
    group.net.closeColl(group.comm);
    group.net.closeListen(group.listener);
    group.found(Party.CALLER);
    assertThat(log.lines()).last().asString().contains("CollNet Lone").endsWith("no violations");
  }

  @Test
  void coll01AnotherHandleAndASecondConnect() {
    Group group = new Group(new LoneCollNet());
    ListenComm other =
        group.net.listen(group.context, 0, arena.allocate(CollNet.HANDLE_MAXSIZE, 8));
    MemorySegment foreign = arena.allocate(CollNet.HANDLE_MAXSIZE, 8).fill((byte) 7);
    group.net.connect(new MemorySegment[] {foreign}, 1, 0, other);
    group.found(Party.CALLER, "COLL-01");
    group.net.connect(new MemorySegment[] {handle}, 1, 0, other);
    assertThat(group.net.violations().counts()).containsEntry("COLL-01", 2L);
  }

  @Test
  void coll02RanksAndHandlesThatDoNotFit() {
    Group group = new Group(new LoneCollNet());
    ValidatedPair.whateverHappens(
        () -> group.net.connect(new MemorySegment[] {handle}, 1, 1, group.listener));
    ValidatedPair.whateverHappens(
        () -> group.net.connect(new MemorySegment[] {handle}, 2, 0, group.listener));
    assertThat(group.net.violations().counts(Party.CALLER)).containsEntry("COLL-02", 2L);
  }

  @Test
  void coll08AverageIsNotShownToAPlugin() {
    Group group = new Group(new LoneCollNet());
    group.net.reduceSupport(DataType.INT8, ReductionOp.AVG);
    group.found(Party.CALLER, "COLL-08");
  }

  @Test
  void coll14AndRecv15AreasThatOverlap() {
    Group group = new Group(new LoneCollNet());
    group.reduce(0, 16, 32);
    group.found(Party.CALLER, "COLL-14");
    group.reduce(128, 256, 64);
    group.reduce(256, 512, 64);
    group.found(Party.CALLER, "COLL-14", "NET-RECV-15");
  }

  @Test
  void coll15AndColl16CountsAndPairs() {
    Group group = new Group(new LoneCollNet());
    for (long count : new long[] {-1, BYTES + 1, 1L << 31}) {
      ValidatedPair.whateverHappens(() -> group.reduce(0, 0, count));
    }
    ValidatedPair.whateverHappens(() ->
        group.net.iallreduce(
            group.comm, group.mr, 0, group.mr, 0, 1, DataType.INT8, ReductionOp.MAX));
    group.found(Party.CALLER, "COLL-15", "COLL-16");
  }

  @Test
  void coll03ConnectChangesTheHandles() {
    Group group =
        new Group(
            new LoneCollNet() {
              @Override
              public CollComm connect(
                  MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
                handles[0].set(ValueLayout.JAVA_BYTE, 9, (byte) 9);
                return super.connect(handles, nranks, rank, listenComm);
              }
            });
    group.found(Party.PLUGIN, "COLL-03");
  }

  @Test
  void coll07AndColl09Support() {
    Group group =
        new Group(
            new LoneCollNet() {
              private int asked;

              @Override
              public boolean reduceSupport(DataType dataType, ReductionOp op) {
                return asked++ < 2 || op == ReductionOp.AVG;
              }
            });
    group.found(Party.PLUGIN);
    group.net.reduceSupport(DataType.INT8, ReductionOp.SUM);
    group.found(Party.PLUGIN, "COLL-07");
    group.net.reduceSupport(DataType.INT8, ReductionOp.AVG);
    assertThat(group.net.violations().counts(Party.PLUGIN)).containsKey("COLL-09");
  }

  @Test
  void coll17TheSizeIsWrong() {
    Group group =
        new Group(
            new LoneCollNet() {
              @Override
              public boolean test(Request request, int @Nullable [] sizes) {
                boolean done = super.test(request, sizes);
                if (sizes != null) {
                  sizes[0]++;
                }
                return done;
              }
            });
    group.net.test(Objects.requireNonNull(group.reduce(0, 64, 64)), new int[1]);
    group.found(Party.PLUGIN, "COLL-17");
  }

  @Test
  void coll22TheSendAreaIsWritten() {
    Group group =
        new Group(
            new LoneCollNet() {
              @Override
              public boolean test(Request request, int @Nullable [] sizes) {
                ((Copy) request).from().fill((byte) 55);
                return super.test(request, sizes);
              }
            });
    group.net.test(Objects.requireNonNull(group.reduce(0, 64, 64)), null);
    group.found(Party.EITHER, "NET-SEND-09");
    assertThat(log.lines()).anyMatch(line -> line.contains("COLL-22"));
  }
}
