// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static io.nitinol.samples.memory.Wire.await;
import static io.nitinol.samples.memory.Wire.failure;
import static io.nitinol.samples.memory.Wire.invalidCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v6.CollNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups of members, each an instance of its own; names of rules are SPEC.md's. */
class AllReduceTest {
  private static final ReductionOp[] OPERATORS = {
    ReductionOp.SUM, ReductionOp.PROD, ReductionOp.MAX, ReductionOp.MIN
  };

  @ParameterizedTest
  @EnumSource(DataType.class)
  void allMembersHaveTheSameBitsAndTheRightOnes(DataType type) throws Exception {
    try (Members members = new Members(3)) {
      Random random = new Random(type.code());
      for (MemorySegment from : members.from) {
        byte[] bytes = new byte[Members.SIZE]; // NaNs and infinities among them
        random.nextBytes(bytes);
        from.copyFrom(MemorySegment.ofArray(bytes));
      }
      long elements = (Members.SIZE - 100) / type.size();
      long size = elements * type.size();
      for (ReductionOp op : OPERATORS) {
        assertThat(members.nets[0].reduceSupport(type, op)).isTrue();
        for (MemorySegment into : members.into) {
          into.fill((byte) 0x55);
        }
        assertThat(members.reduce(elements, type, op)).isEqualTo((int) size); // COLL-17
        for (int i = 0; i < 3; i++) { // COLL-12
          assertThat(members.into[i].mismatch(members.into[0])).isEqualTo(-1);
        }
        for (long at = size; at < Members.SIZE; at++) { // COLL-22
          assertThat(members.into[0].get(ValueLayout.JAVA_BYTE, at)).isEqualTo((byte) 0x55);
        }
      }
    }
  }

  @Test
  void sumsAreExactAndInPlace() throws Exception {
    try (Members members = new Members(4)) {
      for (int member = 0; member < 4; member++) {
        for (int i = 0; i < 20_000; i++) {
          members.from[member].setAtIndex(ValueLayout.JAVA_INT, i, i * (member + 1));
        }
        members.intoMrs[member] = members.fromMrs[member]; // COLL-14
      }
      members.reduce(20_000, DataType.INT32, ReductionOp.SUM);
      for (int member = 0; member < 4; member++) {
        for (int i = 0; i < 20_000; i++) {
          assertThat(members.from[member].getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(i * 10);
        }
      }
      assertThat(members.reduce(0, DataType.INT32, ReductionOp.SUM)).isZero(); // COLL-15
    }
  }

  @Test
  void manyOperationsFlyAndMoreAreNull() throws Exception {
    try (Members members = new Members(2)) {
      List<List<Request>> requests = List.of(new ArrayList<>(), new ArrayList<>());
      for (int round = 0; round < 3; round++) {
        for (int member = 0; member < 2; member++) {
          members.from[member].fill((byte) (member + 1));
          for (int i = 0; i < CollNet.MAX_REQUESTS; i++) {
            Request r = members.start(member, i * 8000L, 8000, DataType.INT8, ReductionOp.SUM);
            assertThat(r).isNotNull(); // COLL-11
            requests.get(member).add(r);
          }
          assertThat(members.start(member, 0, 1, DataType.INT8, ReductionOp.SUM)).isNull();
        }
        await(() -> { // the youngest first, NET-TEST-02 and NET-TEST-03
          for (int member = 0; member < 2; member++) {
            List<Request> left = requests.get(member);
            if (!left.isEmpty() && members.nets[member].test(left.getLast(), null)) {
              left.removeLast();
            }
          }
          return requests.get(0).isEmpty() && requests.get(1).isEmpty();
        });
        assertThat(
                members
                    .into[1]
                    .asSlice(0, 256_000)
                    .mismatch(members.arena.allocate(256_000).fill((byte) 3)))
            .isEqualTo(-1);
      }
    }
  }

  @Test
  void membersThatDisagreeAreTold() throws Exception {
    try (Members members = new Members(2)) { // COLL-18
      Request a = members.start(0, 0, 10, DataType.INT8, ReductionOp.SUM);
      Request b = members.start(1, 0, 11, DataType.INT8, ReductionOp.SUM);
      assertThat(failure(() -> members.nets[0].test(a, null))).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure(() -> members.nets[1].test(b, null))).isEqualTo(ResultCode.INVALID_USAGE);
      assertThatThrownBy(() -> members.start(0, 0, 10, DataType.INT8, ReductionOp.SUM))
          .isInstanceOf(NetException.class); // NET-ERR-05
    }
  }

  @Test
  void aMemberThatLeavesIsRemoteErrorAndWhatItHasDoneCounts() throws Exception {
    try (Members members = new Members(3)) { // COLL-19
      Request[] first = new Request[3];
      for (int i = 0; i < 3; i++) {
        first[i] = members.start(i, 0, 10, DataType.INT8, ReductionOp.SUM);
      }
      boolean unused = members.nets[0].test(first[0], null) || members.nets[1].test(first[1], null);
      await(() -> members.nets[2].test(first[2], null));
      members.nets[2].closeColl(members.comms[2]);
      await(() -> members.nets[0].test(first[0], null));
      Request second = members.start(0, 0, 10, DataType.INT8, ReductionOp.SUM);
      assertThat(failure(() -> members.nets[0].test(second, null)))
          .isEqualTo(ResultCode.REMOTE_ERROR);
      members.nets[0].closeColl(members.comms[0]);
      members.nets[1].closeColl(members.comms[1]);
    }
  }

  @Test
  void groupsThatCannotBeAreRefused() throws Exception {
    try (Members members = new Members(1)) {
      MemoryCollNet net = members.nets[0];
      MemorySegment[] handles = new MemorySegment[MemoryGroup.MOST_MEMBERS + 1];
      java.util.Arrays.setAll(handles, i -> members.arena.allocate(CollNet.HANDLE_MAXSIZE));
      ListenComm listener = net.listen(0, handles[0]);
      ListenComm other = net.listen(0, handles[1]);
      assertThat(
              catchThrowableOfType(
                      NetException.class,
                      () -> net.connect(handles, handles.length, 0, listener)) // COLL-05
                  .result())
          .isEqualTo(ResultCode.INVALID_USAGE);
      invalidCall(() -> net.connect(handles, 3, 0, listener)); // a handle of zeroes
      invalidCall(() -> net.connect(handles, 2, 2, listener)); // COLL-02
      invalidCall(() -> net.connect(handles, 2, -1, listener));
      invalidCall(() -> net.connect(handles, 2, 1, listener));
      invalidCall(() -> net.connect(new MemorySegment[] {handles[0]}, 2, 0, listener));
      net.closeListen(other);
      assertThat(
              catchThrowableOfType(
                      NetException.class, () -> net.connect(handles, 2, 0, listener)) // COLL-04
                  .result())
          .isEqualTo(ResultCode.REMOTE_ERROR);
      net.closeListen(listener);
      assertThat(members.reduce(5, DataType.FLOAT64, ReductionOp.SUM)).isEqualTo(40);
    }
  }

  @Test
  void wrongArgumentsAreInvalidAndHarmNothing() throws Exception {
    try (Members members = new Members(2)) {
      invalidCall(() -> members.start(0, 0, -1, DataType.INT8, ReductionOp.SUM));
      invalidCall(() -> members.start(0, 0, 1L << 31, DataType.INT8, ReductionOp.SUM));
      invalidCall(() -> members.start(0, 0, Members.SIZE, DataType.INT32, ReductionOp.SUM));
      invalidCall(() -> members.start(0, -1, 1, DataType.INT8, ReductionOp.SUM));
      invalidCall(() -> members.start(0, 0, 1, DataType.INT8, ReductionOp.AVG)); // COLL-16
      invalidCall(() ->
          members.nets[0].iallreduce(
              members.comms[1],
              members.fromMrs[1],
              0,
              members.intoMrs[1],
              0,
              1,
              DataType.INT8,
              ReductionOp.SUM));
      assertThat(members.nets[0].reduceSupport(DataType.INT8, ReductionOp.AVG)).isFalse();
      assertThat(members.nets[0].iflush(members.comms[0], members.intoMrs[0], 0, 9)).isNull();
      assertThat(members.reduce(5, DataType.FLOAT64, ReductionOp.SUM)).isEqualTo(40);
    }
  }

  @Test
  void theSteadyStateAllocatesNothing() throws Exception { // NET-MEM-03
    try (Members members = new Members(2)) {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long allocated = Long.MAX_VALUE;
      for (int round = 0; round < 20; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 500; i++) {
          Request a = members.start(0, 0, 100, DataType.FLOAT16, ReductionOp.SUM);
          Request b = members.start(1, 0, 100, DataType.FLOAT16, ReductionOp.SUM);
          boolean first = false;
          boolean second = false;
          while (!first || !second) {
            first = first || members.nets[0].test(a, null);
            second = second || members.nets[1].test(b, null);
          }
        }
        allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(allocated).isLessThan(500); // less than a byte for each round
    }
  }
}
