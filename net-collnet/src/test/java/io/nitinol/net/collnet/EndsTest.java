// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.collnet.node.Switch;
import io.nitinol.net.collnet.node.SwitchOptions;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.Addresses;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups that do not come about, and groups that end: who is told what, and how soon. */
class EndsTest {
  private final RecordingLog log = new RecordingLog();

  private Switch start() {
    return Switch.start(OperationsTest.options(), log);
  }

  private static Request reduce(SwitchMembers members, int rank, MemoryHandle mr, long count) {
    Request request =
        members
            .nets
            .get(rank)
            .iallreduce(members.comm(rank), mr, 0, mr, 0, count, DataType.INT8, ReductionOp.SUM);
    if (request == null) {
      throw new IllegalStateException("no room for a first operation");
    }
    return request;
  }

  /** Returns how an operation ended. */
  private static NetException failure(SwitchMembers members, int rank, Request request) {
    try {
      while (!members.nets.get(rank).test(request, null)) {
        assertThat(Thread.currentThread().isInterrupted()).as("rank %d waits", rank).isFalse();
      }
    } catch (NetException e) {
      return e;
    }
    throw new AssertionError("an operation of rank " + rank + " was complete");
  }

  /** The others have contributed, and have not yet looked for their result when one leaves. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoLeavesWithTheLastResultTakesItFromNobody(boolean embedded) {
    int bytes = 7 * SwitchOptions.SEGMENT_BYTES; // as much as the switch takes ahead
    try (Switch root = start()) {
      for (int round = 0; round < 8; round++) {
        int first = round % 3;
        try (SwitchMembers members =
            new SwitchMembers().addAll(3, embedded ? null : root.address()).join()) {
          List<Request> requests = new ArrayList<>();
          List<MemorySegment> results = new ArrayList<>();
          for (int rank = 0; rank < 3; rank++) {
            MemorySegment memory = members.arena.allocate(bytes, 8);
            memory.fill((byte) (rank == first ? 5 : 0));
            results.add(memory);
            requests.add(gather(members, rank, members.register(rank, memory), first, bytes));
          }
          SwitchCollNet net = members.nets.get(first);
          Await.until("the first has it", () -> net.test(requests.get(first), null));
          members.leave(first);
          for (int rank = 0; rank < 3; rank++) {
            if (rank != first) {
              int late = rank;
              Await.until(
                  "rank " + rank + " has its result",
                  () -> members.nets.get(late).test(requests.get(late), null));
              assertThat(results.get(rank).toArray(ValueLayout.JAVA_BYTE)).containsOnly(5);
            }
          }
        }
      }
    }
  }

  /** Gathers what one rank alone contributes. */
  private static Request gather(
      SwitchMembers members, int rank, MemoryHandle mr, int of, int bytes) {
    Request request =
        members
            .nets
            .get(rank)
            .iallgather(
                members.comm(rank),
                mr,
                0,
                1,
                new MemoryHandle[] {mr},
                new long[1],
                new long[] {bytes},
                bytes,
                (long) of * bytes,
                bytes);
    if (request == null) {
      throw new IllegalStateException("no room for a first operation");
    }
    return request;
  }

  @Test
  void whoLeavesIsNamedToTheOthers() {
    try (Switch root = start();
        SwitchMembers members = new SwitchMembers().addAll(3, root.address()).join()) {
      MemoryHandle zero = members.register(0, members.arena.allocate(64, 8));
      MemoryHandle one = members.register(1, members.arena.allocate(64, 8));
      Request waiting = reduce(members, 0, zero, 64);
      members.leave(2);
      for (NetException e :
          List.of(failure(members, 0, waiting), ended(members, 1, reduceLate(members, 1, one)))) {
        assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR);
        assertThat(e).hasMessageContaining("rank 2").hasMessageContaining("left");
        assertThat(e).hasMessageContaining(Addresses.text(root.address()));
        assertThat(e).hasMessageContaining("NITINOL_COLLNET_SWITCH");
      }
      Await.until("the memory is free", () -> root.stats().memoryBytes() == 0);
      assertThatThrownBy(() -> reduce(members, 0, zero, 64)).hasMessageContaining("rank 2");
    }
  }

  /** Those that were told first had not been sent yet. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allThatIsInFlightFailsInWhateverOrderItIsLookedAt(boolean switchEnds) {
    int bytes = 4 << 20;
    try (Switch root = start();
        SwitchMembers members = new SwitchMembers().addAll(2, root.address()).join()) {
      MemoryHandle mr = members.register(0, members.arena.allocate(bytes, 8));
      List<Request> waiting = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        waiting.add(reduce(members, 0, mr, bytes));
      }
      if (switchEnds) {
        root.close();
      } else {
        members.leave(1);
      }
      for (Request each : switchEnds ? waiting.reversed() : waiting) {
        assertThat(failure(members, 0, each).result()).isEqualTo(ResultCode.REMOTE_ERROR);
      }
    }
  }

  /** An operation that begins about when the group fails: it may be refused at once. */
  private static Request reduceLate(SwitchMembers members, int rank, MemoryHandle mr) {
    try {
      return reduce(members, rank, mr, 64);
    } catch (NetException e) {
      return new Failed(e);
    }
  }

  private record Failed(NetException why) implements Request {}

  private static NetException ended(SwitchMembers members, int rank, Request request) {
    return request instanceof Failed failed ? failed.why() : failure(members, rank, request);
  }

  @Test
  void aSwitchThatEndsFailsItsGroups() {
    RecordingLog quiet = new RecordingLog();
    try (Switch root = Switch.start(OperationsTest.options(), quiet);
        SwitchMembers members = new SwitchMembers().addAll(2, root.address()).join()) {
      MemoryHandle mr = members.register(0, members.arena.allocate(64, 8));
      Request waiting = reduce(members, 0, mr, 64);
      root.close();
      NetException e = failure(members, 0, waiting);
      assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(e).hasMessageContaining(Addresses.text(root.address()));
    }
  }

  @Test
  void anotherSecretIsNamed() {
    try (Switch root = start();
        SwitchMembers members = new SwitchMembers().addAll(1, root.address())) {
      Map<String, String> other = SwitchMembers.at(root.address());
      other.put("NITINOL_COMM_SECRET", "another one");
      other.put("NITINOL_COLLNET_TIMEOUT", "30");
      members.add(other);
      assertThatThrownBy(() -> members.join(1))
          .isInstanceOf(NetException.class)
          .hasMessageContaining("another secret")
          .hasMessageContaining("NITINOL_COLLNET_SECRET")
          .hasMessageContaining(Addresses.text(root.address()));
    }
  }

  @Test
  void aSwitchThatIsNotThereIsNamed() {
    InetSocketAddress gone;
    try (Switch root = start()) {
      gone = root.address();
    }
    try (SwitchMembers members = new SwitchMembers().addAll(2, gone)) {
      List<NetException> failures = members.tryJoin();
      assertThat(failures)
          .hasSize(2)
          .allSatisfy(e -> {
            assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR);
            assertThat(e)
                .hasMessageContaining("cannot connect to " + Addresses.text(gone))
                .hasMessageContaining("NITINOL_COLLNET_SWITCH");
          });
    }
  }

  @Test
  void ranksThatDoNotComeAreWaitedForAsLongAsIsSaid() {
    try (Switch root = start();
        Switch other = start();
        SwitchMembers members = new SwitchMembers()) {
      Map<String, String> hasty = SwitchMembers.at(root.address());
      hasty.put("NITINOL_COLLNET_TIMEOUT", "1");
      members.add(hasty).addAll(1, other.address());
      assertThatThrownBy(() -> members.join(0))
          .isInstanceOfSatisfying(
              NetException.class,
              e -> assertThat(e.result()).isIn(ResultCode.TIMEOUT, ResultCode.INVALID_USAGE))
          .hasMessageContaining(Addresses.text(root.address()) + " of 0")
          .hasMessageContaining(Addresses.text(other.address()) + " of 1");
      Await.until("nothing is left", () -> root.stats().groups().isEmpty());
    }
  }

  @Test
  void allRanksNameSwitchesOrNone() {
    try (Switch root = start();
        SwitchMembers members = new SwitchMembers().addAll(1, null).addAll(1, root.address())) {
      assertThat(members.tryJoin())
          .hasSize(2)
          .allSatisfy(e -> {
            assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE);
            assertThat(e).hasMessageContaining("rank 1 has NITINOL_COLLNET_SWITCH and rank 0");
          });
    }
  }

  @Test
  void aNetworkThatIsNotThereIsNamed() {
    Map<String, String> variables = SwitchMembers.at(null);
    variables.put("NITINOL_COLLNET_NET", "Tin");
    try (SwitchMembers members = new SwitchMembers()) {
      assertThatThrownBy(() -> members.add(variables))
          .hasMessageContaining("NITINOL_COLLNET_NET")
          .hasMessageContaining("no network has the name Tin")
          .hasMessageContaining("Socket");
    }
  }
}
