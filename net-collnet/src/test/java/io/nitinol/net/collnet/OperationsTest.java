// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.collnet.node.Switch;
import io.nitinol.net.collnet.node.SwitchOptions;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.RecordingLog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Operations of all kinds through members and switches, with the memory that they may have. */
class OperationsTest {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final int GUARD = 64;

  static SwitchOptions options() {
    return SwitchOptions.at(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            SwitchOptions.keyOf("", SwitchMembers.SECRET))
        .withThreads(1);
  }

  /** An operation of all ranks, on bytes that wrap around when they are summed. */
  private static final class Work {
    private final SwitchMembers members;
    private final Random random;
    private final int kind;
    private final boolean inPlace;
    private final int bytesPerRank;
    private final int offset;
    private final int window;
    private final List<MemorySegment> from = new ArrayList<>();
    private final List<byte[]> sent = new ArrayList<>();
    private final List<MemorySegment> to = new ArrayList<>();
    final @Nullable Request[] requests;
    private final MemoryHandle[][] mrs;
    private final long[] lengths;

    Work(SwitchMembers members, Random random, int most) {
      this.members = members;
      this.random = random;
      int size = members.size();
      requests = new Request[size];
      mrs = new MemoryHandle[size][2];
      kind = random.nextInt(3);
      int whole = random.nextInt(4) == 0 ? random.nextInt(40) : random.nextInt(most);
      bytesPerRank = kind == 0 ? 0 : whole / size + 1;
      int all = kind == 0 ? whole : bytesPerRank * size;
      boolean part = kind != 0 && random.nextBoolean();
      offset = part ? random.nextInt(all + 1) : 0;
      window = part ? random.nextInt(all - offset + 1) : all;
      inPlace = random.nextInt(3) == 0;
      lengths = pieces();
      for (int rank = 0; rank < size; rank++) {
        place(rank);
      }
    }

    private long[] pieces() {
      long[] cut = new long[1 + (kind == 0 ? 0 : random.nextInt(4))];
      long left = window;
      for (int i = 0; i + 1 < cut.length; i++) {
        cut[i] = random.nextLong(left + 1);
        left -= cut[i];
      }
      cut[cut.length - 1] = left;
      return cut;
    }

    private int start(int rank) {
      return Math.clamp((long) bytesPerRank * rank - offset, 0, window);
    }

    private int own(int rank) {
      return start(rank + 1) - start(rank);
    }

    private int sends(int rank) {
      return kind == 1 ? own(rank) : window;
    }

    private int gets(int rank) {
      return kind == 2 ? own(rank) : window;
    }

    /** Memory for a rank, with guards around it; in place where the parts of a whole lie there. */
    private void place(int rank) {
      MemorySegment area = members.arena.allocate(window + 2L * GUARD, 8);
      MemorySegment other = inPlace ? area : members.arena.allocate(window + 2L * GUARD, 8);
      byte[] noise = new byte[(int) area.byteSize()];
      random.nextBytes(noise);
      area.copyFrom(MemorySegment.ofArray(noise));
      from.add(area);
      sent.add(noise);
      to.add(other);
      mrs[rank][0] = members.register(rank, area);
      mrs[rank][1] = inPlace ? mrs[rank][0] : members.register(rank, other);
    }

    private long sendAt(int rank) {
      return (long) GUARD + (kind == 1 ? start(rank) : 0);
    }

    private long recvAt(int rank) {
      return (long) GUARD + (kind == 2 ? start(rank) : 0);
    }

    boolean start(int rank, long[] scratch) {
      SwitchCollNet net = members.nets.get(rank);
      int n = lengths.length;
      MemoryHandle[] many = new MemoryHandle[n];
      long at = GUARD;
      for (int i = 0; i < n; i++) {
        many[i] = mrs[rank][kind == 1 ? 1 : 0];
        scratch[i] = at;
        at += lengths[i];
      }
      Request request =
          switch (kind) {
            case 0 ->
                net.iallreduce(
                    members.comm(rank),
                    mrs[rank][0],
                    GUARD,
                    mrs[rank][1],
                    GUARD,
                    window,
                    DataType.UINT8,
                    ReductionOp.SUM);
            case 1 ->
                net.iallgather(
                    members.comm(rank),
                    mrs[rank][0],
                    sendAt(rank),
                    n,
                    many,
                    scratch,
                    lengths,
                    bytesPerRank,
                    offset,
                    window);
            default ->
                net.ireducescatter(
                    members.comm(rank),
                    n,
                    many,
                    scratch,
                    lengths,
                    mrs[rank][1],
                    recvAt(rank),
                    bytesPerRank,
                    offset,
                    window,
                    DataType.UINT8,
                    ReductionOp.SUM);
          };
      requests[rank] = request;
      return request != null;
    }

    void check(int rank, int[] sizes) {
      assertThat(sizes[0]).as("%s, size", this).isEqualTo(gets(rank));
      byte[] expected = inPlace ? sent.get(rank).clone() : new byte[window + 2 * GUARD];
      int first = (int) recvAt(rank);
      for (int i = 0; i < gets(rank); i++) {
        int at = kind == 2 ? start(rank) + i : i;
        expected[first + i] = kind == 1 ? gathered(at) : sum(at);
      }
      assertThat(to.get(rank).toArray(BYTE)).as("%s, rank %d", this, rank).isEqualTo(expected);
      if (!inPlace) {
        assertThat(from.get(rank).toArray(BYTE)).as("contribution").isEqualTo(sent.get(rank));
      }
      members.nets.get(rank).deregMr(members.comm(rank), mrs[rank][0]);
      if (!inPlace) {
        members.nets.get(rank).deregMr(members.comm(rank), mrs[rank][1]);
      }
    }

    private byte sum(int at) {
      int sum = 0;
      for (byte[] each : sent) {
        sum += each[GUARD + at];
      }
      return (byte) sum;
    }

    private byte gathered(int at) {
      int rank = (offset + at) / bytesPerRank;
      return sent.get(rank)[(int) sendAt(rank) + at - start(rank)];
    }

    @Override
    public String toString() {
      return "kind "
          + kind
          + " of "
          + offset
          + "+"
          + window
          + ", "
          + bytesPerRank
          + " per rank, "
          + (inPlace ? "in place, " : "")
          + lengths.length
          + " pieces of "
          + sends(0)
          + "...";
    }
  }

  /** Ranks start and test whenever it suits them, up to 12 operations ahead. */
  private static void drive(SwitchMembers members, Random random, int operations, int most) {
    List<Work> all = new ArrayList<>();
    List<ArrayDeque<Work>> flying = new ArrayList<>();
    int[] started = new int[members.size()];
    int finished = 0;
    for (int i = 0; i < members.size(); i++) {
      flying.add(new ArrayDeque<>());
    }
    long end = System.nanoTime() + SwitchMembers.LIMIT;
    long[] scratch = new long[8];
    int[] sizes = new int[1];
    while (finished < operations * members.size()) {
      int rank = random.nextInt(members.size());
      ArrayDeque<Work> mine = flying.get(rank);
      if (started[rank] < operations && mine.size() < 12 && random.nextInt(3) == 0) {
        if (started[rank] == all.size()) {
          all.add(new Work(members, random, most));
        }
        Work next = all.get(started[rank]);
        if (next.start(rank, scratch)) {
          mine.add(next);
          started[rank]++;
        }
      }
      Work oldest = mine.peek();
      Request request = oldest == null ? null : oldest.requests[rank];
      if (oldest != null && request != null && members.nets.get(rank).test(request, sizes)) {
        oldest.check(rank, sizes);
        mine.remove();
        finished++;
      }
      assertThat(System.nanoTime() - end).as("%d operations, then none", finished).isNegative();
    }
  }

  @Test
  void rightInTheProcessOfRankZero() {
    try (SwitchMembers members = new SwitchMembers().addAll(3, null).join()) {
      drive(members, new Random(1), 120, 1 << 19);
    }
  }

  @Test
  void rightInATreeOfSwitches() {
    RecordingLog log = new RecordingLog();
    try (Switch root = Switch.start(options(), log);
        Switch one = Switch.start(options().withParent(root.address()), log);
        Switch other =
            Switch.start(options().withParent(root.address()).withSegmentBytes(1 << 13), log);
        SwitchMembers members = new SwitchMembers()) {
      // Ranks of one switch do not stand side by side.
      members.addAll(2, one.address()).addAll(2, other.address()).addAll(1, one.address());
      members.addAll(1, root.address()).join();
      drive(members, new Random(2), 100, 1 << 18);
    }
  }

  @Test
  void asManyOperationsAsArePromisedAreInFlight() {
    try (SwitchMembers members = new SwitchMembers().addAll(2, null).join()) {
      int most = SwitchCollNet.MAX_REQUESTS;
      MemorySegment memory = members.arena.allocate(8L * most, 8);
      MemoryHandle mr = members.register(0, memory);
      List<Request> mine = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        Request request =
            members
                .nets
                .get(0)
                .iallreduce(
                    members.comm(0), mr, 8L * i, mr, 8L * i, 1, DataType.INT64, ReductionOp.SUM);
        assertThat(request).as("operation %d", i).isNotNull();
        if (request != null) {
          mine.add(request);
        }
      }
      assertThat(
              members
                  .nets
                  .get(0)
                  .iallreduce(members.comm(0), mr, 0, mr, 0, 1, DataType.INT64, ReductionOp.SUM))
          .as("one more than are promised")
          .isNull();
      MemorySegment theirs = members.arena.allocate(8L * most, 8).fill((byte) 1);
      MemoryHandle other = members.register(1, theirs);
      for (int i = 0; i < most; i++) {
        Request request =
            members
                .nets
                .get(1)
                .iallreduce(
                    members.comm(1),
                    other,
                    8L * i,
                    other,
                    8L * i,
                    1,
                    DataType.INT64,
                    ReductionOp.SUM);
        if (request != null) {
          members.finish(List.of(mine.get(i), request));
        }
      }
      assertThat(memory.toArray(BYTE)).containsOnly(1);
    }
  }
}
