// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static io.nitinol.samples.memory.Wire.SIZE;
import static io.nitinol.samples.memory.Wire.await;
import static io.nitinol.samples.memory.Wire.failure;
import static io.nitinol.samples.memory.Wire.invalid;
import static io.nitinol.samples.memory.Wire.invalidCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages over one connection; names of rules are SPEC.md's. */
class MessagesTest {
  private final Wire wire = new Wire();

  @AfterEach
  void release() {
    wire.close();
  }

  @Test
  void messagesOfEveryLengthArriveAndReportTheirSize() {
    int[] size = {-1, -1};
    for (int length : new int[] {0, 1, 3, 4095, 4096, 65_527, 65_528, 65_529, 200_001, SIZE - 9}) {
      wire.into.fill((byte) 0x55);
      Request r = wire.irecv(4, SIZE - 4, 7);
      Request s = wire.isend(9, length, 7);
      wire.finish(r, size, s);
      assertThat(size).containsExactly(length, -1); // NET-TEST-08
      same(4, 9, length);
      assertThat(wire.into.get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) 0x55);
      if (4 + length < SIZE) { // NET-RECV-05
        assertThat(wire.into.get(ValueLayout.JAVA_BYTE, 4 + length)).isEqualTo((byte) 0x55);
      }
    }
  }

  @Test
  void tagsChooseThePieceAndEqualOnesGoInOrder() {
    Request r = wire.irecv(new int[] {0, 100, 200, 300}, 100, new int[] {5, -6, 5, 9});
    Request a = wire.isend(1000, 10, 9);
    Request b = wire.isend(2000, 20, 5);
    Request c = wire.isend(3000, 30, 5);
    Request d = wire.isend(4000, 40, -6);
    int[] sizes = new int[4];
    wire.finish(r, sizes, a, b, c, d);
    assertThat(sizes).containsExactly(20, 40, 30, 10); // NET-RECV-09, NET-RECV-10
    same(0, 2000, 20);
    same(100, 4000, 40);
    same(200, 3000, 30);
    same(300, 1000, 10);
  }

  @Test
  void aSendThatRunsAheadIsNullUntilItsReceiveIsTheOldest() {
    Request first = wire.irecv(new int[] {0, 100}, 100, new int[] {1, 2});
    Request second = wire.irecv(new int[] {200, 300}, 100, new int[] {1, 2});
    Request one = wire.isend(0, 10, 1);
    assertThat(wire.sender.isend(wire.send, wire.sendMr, 10, 10, 1)).isNull(); // NET-RECV-11
    assertThat(wire.sender.isend(wire.send, wire.sendMr, 10, 10, 3)).isNull(); // NET-RECV-12
    Request two = wire.isend(20, 10, 2);
    Request three = wire.isend(30, 10, 1);
    Request four = wire.isend(40, 10, 2);
    wire.finish(first, null, one, two);
    wire.finish(second, null, three, four);
    same(200, 30, 10);
  }

  @Test
  void asManyOperationsFlyAsTheContractAsksAndMoreAreNull() {
    List<Request> receives = new ArrayList<>();
    List<Request> sends = new ArrayList<>();
    int[] tags = {0, 1, 2, 3, 4, 5, 6, 7};
    int[] at = new int[8];
    for (int i = 0; i < Net.MAX_REQUESTS; i++) {
      for (int j = 0; j < 8; j++) {
        at[j] = (i * 8 + j) * 512;
      }
      receives.add(wire.irecv(at, 512, tags));
    }
    assertThat(wire.irecv(at, 512, tags)).isNull(); // NET-RECV-02
    for (int i = 0; i < Net.MAX_REQUESTS * 8; i++) {
      sends.add(wire.sender.isend(wire.send, wire.sendMr, i, 512, i % 8));
    }
    assertThat(sends).doesNotContainNull().doesNotHaveDuplicates(); // NET-SEND-03
    assertThat(wire.sender.isend(wire.send, wire.sendMr, 0, 1, 0)).isNull(); // NET-SEND-04
    Request youngest = receives.removeLast();
    await(() -> {
      boolean unused = wire.sender.test(sends.getLast(), null) && sends.remove(sends.getLast());
      return wire.receiver.test(youngest, null); // NET-TEST-03
    });
    for (Request r : receives) {
      assertThat(wire.receiver.test(r, null)).isTrue();
    }
    for (int i = 0; i < Net.MAX_REQUESTS * 8; i++) {
      same(i * 512, i, 512);
    }
  }

  @Test
  void twoThreadsKeepTheOrderOfRandomMessages() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int[] lengths = random.ints(2000, 0, 20_000).toArray();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> sends =
          other.submit(() -> {
            for (int length : lengths) {
              Request s = wire.isend(length % 97, length, 1);
              await(() -> wire.sender.test(s, null));
            }
          });
      int[] size = new int[1];
      for (int length : lengths) {
        Request r = wire.irecv(3, 20_000, 1);
        await(() -> wire.receiver.test(r, size));
        assertThat(size[0]).as("seed %s", seed).isEqualTo(length);
        same(3, length % 97, length);
      }
      sends.get(240, TimeUnit.SECONDS);
    }
  }

  @Test
  void aMessageLargerThanItsPieceIsInvalidUsage() {
    wire.into.fill((byte) 0x55);
    Request r = wire.irecv(0, 99, 7);
    Request later = wire.irecv(200, 99, 7);
    Request s = wire.isend(0, 100, 7);
    assertThat(failure(() -> wire.receiver.test(r, null))).isEqualTo(ResultCode.INVALID_USAGE);
    assertThat(wire.into.mismatch(wire.arena.allocate(SIZE).fill((byte) 0x55))).isEqualTo(-1);
    assertThatThrownBy(() -> wire.irecv(0, 99, 7)).isInstanceOf(NetException.class); // NET-ERR-05
    assertThatThrownBy(() -> wire.receiver.test(later, null)).isInstanceOf(NetException.class);
    assertThat(wire.sender.test(s, null)).isTrue(); // NET-RECV-07
    assertThat(failure(() -> wire.sender.isend(wire.send, wire.sendMr, 0, 1, 7) != null))
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }

  @Test
  void whatWasSentBeforeACloseArrivesAndWhatComesLaterIsRemoteError() {
    Request first = wire.irecv(0, SIZE, 7);
    Request second = wire.irecv(0, SIZE, 7);
    Request s = wire.isend(0, 5000, 7);
    await(() -> wire.sender.test(s, null));
    wire.isend(0, SIZE, 7); // a part of it is in the ring
    wire.sender.closeSend(wire.send); // NET-CLOSE-02
    int[] size = new int[1];
    await(() -> wire.receiver.test(first, size)); // NET-CLOSE-04
    assertThat(size).containsExactly(5000);
    assertThat(failure(() -> wire.receiver.test(second, null))) // NET-CLOSE-05, NET-ERR-09
        .isEqualTo(ResultCode.REMOTE_ERROR);
    wire.receiver.closeRecv(wire.recv); // NET-CLOSE-06
  }

  @Test
  void aReceiverThatLeavesIsRemoteErrorToTheSender() {
    wire.irecv(0, SIZE, 7);
    Request s = wire.isend(0, SIZE, 7);
    wire.receiver.deregMr(wire.recv, wire.recvMr); // NET-REG-09
    wire.receiver.closeRecv(wire.recv);
    assertThat(failure(() -> wire.sender.test(s, null))).isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(failure(() -> wire.sender.isend(wire.send, wire.sendMr, 0, 1, 7) != null))
        .isEqualTo(ResultCode.REMOTE_ERROR);
    wire.sender.closeSend(wire.send);
  }

  @Test
  void wrongArgumentsAreInvalidAndHarmNothing() {
    MemorySegment from = wire.from;
    invalidCall(() -> wire.sender.isend(wire.send, wire.sendMr, -1, 1, 7));
    invalidCall(() -> wire.sender.isend(wire.send, wire.sendMr, 0, -1, 7));
    invalidCall(() -> wire.sender.isend(wire.send, wire.sendMr, 1, SIZE, 7));
    invalidCall(() -> wire.sender.isend(wire.send, wire.sendMr, Long.MAX_VALUE, Long.MAX_VALUE, 7));
    invalidCall(() -> wire.sender.isend(wire.send, wire.recvMr, 0, 1, 7)); // NET-REG-06
    invalidCall(() -> wire.receiver.isend(wire.send, wire.sendMr, 0, 1, 7)); // NET-ERR-02
    invalidCall(() -> wire.sender.isend(null, wire.sendMr, 0, 1, 7));
    invalidCall(() -> wire.sender.isend(wire.send, null, 0, 1, 7));
    invalidCall(() -> wire.sender.test(new Request() {}, null));
    invalidCall(() -> wire.sender.regMr(wire.send, Memory.ofDevice(4096, 4096, PointerType.CUDA)));
    MemorySegment huge = MemorySegment.ofAddress(from.address()).reinterpret(1L << 31);
    invalidCall(() -> wire.sender.regMr(wire.send, Memory.ofHost(huge))); // NET-REG-03
    invalidCall(() -> wire.sender.getProperties(-1));
    invalidCall(() -> wire.sender.getProperties(2));
    invalidCall(() -> wire.receiver.listen(0, wire.arena.allocate(127)));
    invalidCall(() -> wire.sender.connect(0, wire.arena.allocate(127)));
    invalidCall(() -> wire.irecv(new int[9], 1, new int[9])); // NET-RECV-08
    invalidCall(() -> wire.irecv(new int[0], 1, new int[0]));
    invalidCall(() -> wire.irecv(new int[2], 1, new int[1]));
    invalidCall(() -> wire.irecv(new int[] {0, SIZE}, 1, new int[2])); // NET-RECV-16
    MemoryHandle readOnly = wire.receiver.regMr(wire.recv, Memory.ofHost(wire.into.asReadOnly()));
    invalidCall(() ->
        wire.receiver.irecv(
            wire.recv,
            1,
            new MemoryHandle[] {readOnly},
            new long[1],
            new long[1],
            new int[1])); // NET-REG-13
    wire.receiver.deregMr(wire.recv, readOnly);
    invalid(() -> wire.receiver.deregMr(wire.recv, readOnly)); // NET-REG-07
    MemoryHandle[] mrs = {wire.recvMr};
    assertThat(wire.receiver.iflush(wire.recv, 1, mrs, new long[1], new long[] {1}))
        .isNull(); // NET-FLUSH-02
    Request r = wire.irecv(new int[] {0, 1}, 1, new int[] {1, 2});
    invalidCall(() -> wire.receiver.test(r, new int[1])); // NET-TEST-07
    invalidCall(() -> wire.sender.test(r, null));
    wire.finish(r, new int[2], wire.isend(0, 1, 2), wire.isend(0, 1, 1)); // NET-ERR-03
    invalidCall(() -> wire.receiver.test(r, null)); // dead
    wire.receiver.closeRecv(wire.recv);
    invalid(() -> wire.receiver.closeRecv(wire.recv));
    invalidCall(() -> wire.irecv(0, 1, 7));
  }

  @Test
  void memoryThatIsReadOnlyCanBeSent() {
    MemoryHandle readOnly = wire.sender.regMr(wire.send, Memory.ofHost(wire.from.asReadOnly()));
    Request r = wire.irecv(0, 100, 7);
    wire.finish(r, null, wire.sender.isend(wire.send, readOnly, 5, 100, 7));
    same(0, 5, 100);
  }

  @Test
  void theSteadyStateAllocatesNothing() { // NET-MEM-03
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    MemoryHandle[] mrs = {wire.recvMr, wire.recvMr};
    long[] offsets = {0, 50_000};
    long[] lengths = {50_000, 50_000};
    int[] tags = {1, 2};
    int[] sizes = new int[2];
    long allocated = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 500; i++) {
        Request r = wire.receiver.irecv(wire.recv, 2, mrs, offsets, lengths, tags);
        Request a = wire.sender.isend(wire.send, wire.sendMr, 0, 40_000, 2);
        Request b = wire.sender.isend(wire.send, wire.sendMr, 0, 50_000, 1);
        boolean sentA = false;
        boolean sentB = false;
        boolean received = false;
        while (!sentA || !sentB || !received) {
          sentA = sentA || wire.sender.test(a, null);
          sentB = sentB || wire.sender.test(b, null);
          received = received || wire.receiver.test(r, sizes);
        }
      }
      allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(allocated).isLessThan(500); // less than a byte for each round
  }

  private void same(int at, int origin, int length) {
    assertThat(wire.into.asSlice(at, length).mismatch(wire.from.asSlice(origin, length)))
        .isEqualTo(-1);
  }
}
