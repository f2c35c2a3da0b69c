// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.nitinol.core.device.FakeDevices;
import io.nitinol.core.kernel.ThreadAllocation;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.testing.Await;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a device communicator makes of calls, on devices that do nothing. */
class DeviceCallsTest {
  private static final DataType INT = DataType.INT32;

  private final FakeDevices fakes = new FakeDevices("fake");
  private List<DeviceCommunicator> ranks = List.of();
  private final DeviceStream stream = fakes.devices().getFirst().createStream(false);

  private DeviceCommunicator start(int n, Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(variables);
    all.putIfAbsent("NCCL_SOCKET_IFNAME", "lo");
    CommConfig config = RankThreads.config(1).withSettings(Settings.of(all));
    ranks =
        DeviceCommunicator.initAll(
            fakes, Collections.nCopies(n, fakes.devices().getFirst()), config);
    return ranks.getFirst();
  }

  @AfterEach
  void close() {
    ranks.forEach(DeviceCommunicator::close);
    assertThat(fakes.closedTeams).isEqualTo(ranks.size());
  }

  private DeviceBuffer buffer(int device, long offset, long size) {
    return DeviceBuffer.of(fakes.devices().get(device), FakeDevices.address(device) + offset, size);
  }

  private DeviceBuffer own(long offset, long size) {
    return buffer(0, offset, size);
  }

  /** A call that is wrong, for rank 0 of two. */
  interface Wrong {
    void call(DeviceCallsTest test, DeviceCommunicator comm);
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        arguments(
            "all_reduce: count is -1; expected 0 or more elements",
            (Wrong) (t, c) -> t.reduceAll(c, t.own(0, 64), t.own(0, 64), -1)),
        arguments(
            "all_reduce: send is a buffer of 60 bytes; expected at least 64 bytes",
            (Wrong) (t, c) -> t.reduceAll(c, t.own(0, 60), t.own(0, 64), 16)),
        arguments(
            "all_reduce: recv is null; expected a buffer of at least 64 bytes",
            (Wrong) (t, c) -> t.reduceAll(c, t.own(0, 64), null, 16)),
        arguments(
            "all_reduce: send is at address 0x40000002; expected one that 4 divides, the size of"
                + " an element of int32",
            (Wrong) (t, c) -> t.reduceAll(c, t.own(2, 64), t.own(128, 64), 16)),
        arguments(
            "all_reduce: recv is a buffer 4 bytes away from send; expected the same address (in"
                + " place) or no overlap of the 64 bytes of each",
            (Wrong) (t, c) -> t.reduceAll(c, t.own(0, 64), t.own(4, 64), 16)),
        arguments(
            "all_reduce: send is 64 bytes at 0x40100000, of which the driver of fake knows the"
                + " first 0; expected memory of device 0 (Fake 0), or host memory that is pinned",
            (Wrong) (t, c) -> t.reduceAll(c, t.own(1 << 20, 64), t.own(0, 64), 16)),
        arguments(
            "all_reduce: send is 128 bytes at 0x400fffc0, of which the driver of fake knows the"
                + " first 64; expected memory of device 0 (Fake 0), or host memory that is pinned",
            (Wrong) (t, c) -> t.reduceAll(c, t.own((1 << 20) - 64, 128), t.own(0, 64), 16)),
        arguments(
            "all_reduce: send is memory of device 2 (Fake 2); expected memory that device 0 (Fake"
                + " 0), this rank's, can access",
            (Wrong) (t, c) -> t.reduceAll(c, t.buffer(2, 0, 64), t.own(0, 64), 16)),
        arguments(
            "all_reduce: stream is one of device 1 (Fake 1); expected a stream of device 0 (Fake"
                + " 0)",
            (Wrong)
                (t, c) ->
                    c.allReduce(
                        t.own(0, 64),
                        t.own(0, 64),
                        16,
                        INT,
                        ReductionOp.SUM,
                        t.fakes.devices().get(1).createStream(false))),
        arguments(
            "reduce: root is 2; expected a rank from 0 to 1",
            (Wrong)
                (t, c) ->
                    c.reduce(t.own(0, 64), t.own(64, 64), 16, INT, ReductionOp.SUM, 2, t.stream)),
        arguments(
            "all_gather: recv is a buffer of 64 bytes; expected at least 128 bytes",
            (Wrong) (t, c) -> c.allGather(t.own(0, 64), t.own(64, 64), 16, INT, t.stream)),
        arguments(
            "alltoall: recv is a buffer that begins where send does; expected no overlap of the"
                + " 128 bytes of send with the 128 of recv",
            (Wrong) (t, c) -> c.allToAll(t.own(0, 128), t.own(0, 128), 16, INT, t.stream)),
        arguments(
            "all_gather: count is 1152921504606846975; expected so few elements that those of 2"
                + " ranks are less than 2^63 bytes",
            (Wrong)
                (t, c) ->
                    c.allGather(
                        t.own(0, 64), t.own(64, 64), (1L << 60) - 1, DataType.INT64, t.stream)),
        arguments(
            "send: peer is -1; expected a rank from 0 to 1",
            (Wrong) (t, c) -> c.send(t.own(0, 64), 16, INT, -1, t.stream)),
        arguments(
            "send: rank 0 sends messages of [64] bytes to itself and receives []; expected the"
                + " same in one group",
            (Wrong) (t, c) -> c.send(t.own(0, 64), 16, INT, 0, t.stream)),
        arguments(
            "all_reduce: op is null; expected an operator",
            (Wrong)
                (t, c) ->
                    c.allReduce(
                        t.own(0, 64), t.own(0, 64), 16, INT, (ReductionOp) null, t.stream)));
  }

  private void reduceAll(
      DeviceCommunicator comm, DeviceBuffer send, DeviceBuffer recv, long count) {
    comm.allReduce(send, recv, count, INT, ReductionOp.SUM, stream);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void aWrongArgumentIsNamedAndNothingIsLaunched(String message, Wrong wrong) {
    DeviceCommunicator comm = start(2, Map.of());
    assertThatThrownBy(() -> wrong.call(this, comm))
        .isInstanceOf(CommException.class)
        .hasMessage(message);
    assertThat(fakes.launched).isEmpty();
    reduceAll(comm, own(0, 64), own(0, 64), 16);
    assertThat(fakes.launched).containsExactly("0 all_reduce 16");
  }

  @Test
  void aWaitDuringALaunchDoesNotLetCloseForgetTheStream() {
    DeviceCommunicator comm = start(1, Map.of());
    fakes.duringLaunch = () -> comm.await(stream); // as another thread may
    reduceAll(comm, own(0, 64), own(0, 64), 16);
    int before = fakes.waits.get();
    comm.close();
    assertThat(fakes.waits).hasValueGreaterThan(before);
  }

  /** The other rank waits for it, and hears of it long before its own limit. */
  @Test
  void aProviderThatBreaksWhileItJoinsFailsAllRanks() throws Exception {
    fakes.brokenRank = 1;
    Settings settings =
        Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo", "NITINOL_BOOTSTRAP_TIMEOUT", "20"));
    List<Communicator> both = Communicator.initAll(2, RankThreads.config(1).withSettings(settings));
    RankThreads.each(
        both,
        each ->
            assertThatThrownBy(
                    () -> DeviceCommunicator.join(each, fakes, fakes.devices().getFirst()))
                .isInstanceOfSatisfying(
                    CommException.class, e -> assertThat(e.failedRank()).isEqualTo(1))
                .hasMessageContaining("a bug of the provider"));
    both.forEach(Communicator::close);
  }

  @Test
  void theDriverIsAskedOncePerBuffer() {
    DeviceCommunicator comm = start(1, Map.of());
    DeviceBuffer buffer = own(0, 64);
    for (int i = 0; i < 3; i++) {
      reduceAll(comm, buffer, buffer, 16);
      reduceAll(comm, buffer.slice(0, 32), buffer, 8);
    }
    assertThat(fakes.asked).isEqualTo(1);
    reduceAll(comm, own(0, 64), buffer, 16);
    assertThat(fakes.asked).isEqualTo(2);
    DeviceBuffer large = own(0, 1 << 20); // in two pieces, as the driver has it
    reduceAll(comm, large, large, 16);
    assertThat(fakes.asked).isEqualTo(4);
  }

  @Test
  void theDriverIsAskedEachTimeWhereTheUserWantsThat() {
    DeviceCommunicator comm = start(1, Map.of("NCCL_CHECK_POINTERS", "1"));
    DeviceBuffer buffer = own(0, 64);
    reduceAll(comm, buffer, buffer, 16);
    reduceAll(comm, buffer, buffer, 16);
    assertThat(fakes.asked).isEqualTo(4);
  }

  @Test
  void memoryOfAPeerIsMadeAccessibleOnce() {
    DeviceCommunicator comm = start(1, Map.of());
    DeviceBuffer peers = buffer(1, 0, 64);
    reduceAll(comm, peers, peers, 16);
    reduceAll(comm, peers, peers, 16);
    assertThat(fakes.enabled).containsExactly(1);
  }

  @Test
  void nothingIsLaunchedForNoElements() {
    DeviceCommunicator comm = start(1, Map.of());
    DeviceBuffer empty = DeviceBuffer.of(fakes.devices().getFirst(), 0, 0);
    reduceAll(comm, empty, empty, 0);
    assertThat(fakes.launched).isEmpty();
  }

  @Test
  void aGroupLaunchesTransfersFirstAndInTurn() {
    start(2, Map.of());
    try (Group group = Group.start()) {
      for (DeviceCommunicator comm : ranks) {
        int other = 1 - comm.rank();
        reduceAll(comm, own(0, 64), own(0, 64), 16);
        comm.send(own(64, 64), 16, INT, other, stream);
        comm.broadcast(own(0, 64), own(0, 64), 8, INT, 0, stream);
        comm.recv(own(128, 64), 16, INT, other, stream);
      }
      assertThat(fakes.launched).isEmpty();
    }
    assertThat(fakes.launched)
        .containsExactly(
            "0 sendrecv 2",
            "1 sendrecv 2",
            "0 all_reduce 16",
            "1 all_reduce 16",
            "0 broadcast 32",
            "1 broadcast 32");
  }

  @Test
  void aGroupWithMistakesLaunchesNothingAndListsThem() {
    DeviceCommunicator comm = start(2, Map.of());
    Group group = Group.start();
    reduceAll(comm, own(0, 64), own(0, 64), 16);
    reduceAll(comm, own(0, 60), own(0, 64), 16);
    comm.send(own(64, 64), 16, INT, 1, stream);
    comm.recv(own(128, 64), 16, INT, 1, fakes.devices().getFirst().createStream(false));
    assertThatThrownBy(group::close)
        .hasMessageContaining("group: 2 of 4 calls cannot be done")
        .hasMessageContaining("call 2, all_reduce: send is a buffer of 60 bytes")
        .hasMessageContaining("call 4, recv: its stream is another one");
    assertThat(fakes.launched).isEmpty();
  }

  @Test
  void aGroupWithAClosedStreamLaunchesNothingAndFailsNobody() {
    start(2, Map.of());
    DeviceStream closed = fakes.devices().getFirst().createStream(false);
    closed.close();
    Group group = Group.start();
    reduceAll(ranks.get(0), own(0, 64), own(0, 64), 16);
    ranks.get(1).allReduce(own(0, 64), own(0, 64), 16, INT, ReductionOp.SUM, closed);
    assertThatThrownBy(group::close).hasMessage("group: the stream is closed");
    assertThat(fakes.launched).isEmpty();
    ranks.forEach(DeviceCommunicator::check);
  }

  @Test
  void aGroupWithWhatTheDevicesDoNotDoLaunchesNothingAndFailsNobody() {
    DeviceCommunicator comm = start(2, Map.of());
    fakes.unsupported = Collective.BROADCAST;
    Group group = Group.start();
    reduceAll(comm, own(0, 64), own(0, 64), 16);
    comm.broadcast(own(0, 64), own(0, 64), 8, INT, 0, stream);
    assertThatThrownBy(group::close)
        .hasMessage("group: the devices cannot do broadcast, as rank 0 asks for");
    assertThat(fakes.launched).isEmpty();
    ranks.forEach(DeviceCommunicator::check);
  }

  /** The stream of rank 0 waits for what rank 1 could not launch. */
  @Test
  void aGroupThatIsLaunchedInPartFailsItsRanksAndAbortsTheirTeams() {
    start(2, Map.of());
    fakes.duringLaunch =
        () -> {
          if (!fakes.launched.isEmpty()) {
            throw new DeviceException(DeviceFailure.INVALID_STATE, "not now");
          }
        };
    Group group = Group.start();
    ranks.forEach(comm -> reduceAll(comm, own(0, 64), own(0, 64), 16));
    assertThatThrownBy(group::close)
        .hasMessageContaining("1 operation(s) were submitted, then all_reduce: not now");
    Await.until("both teams are aborted", () -> fakes.abortedRanks.equals(Set.of(0, 1)));
    for (DeviceCommunicator comm : ranks) {
      assertThatThrownBy(comm::check)
          .hasMessageContaining("1 operation(s) were submitted, then all_reduce: not now");
    }
  }

  @Test
  void aGroupHasAsManyTransfersAsAnOperationTakes() {
    DeviceCommunicator comm = start(2, Map.of());
    for (int more = 0; more < 2; more++) {
      Group group = Group.start();
      for (int i = 0; i < DeviceTeam.MAX_TRANSFERS + more; i++) {
        comm.send(own(0, 4), 1, INT, 1, stream);
      }
      if (more == 0) {
        group.close();
      } else {
        assertThatThrownBy(group::close)
            .hasMessageContaining("1025 sends and receives at once; expected at most 1024");
      }
    }
    assertThat(fakes.launched).containsExactly("0 sendrecv 1024");
  }

  @Test
  void aLostDeviceFailsTheCommunicatorOfAllRanksAndNamesTheRank() {
    DeviceCommunicator comm = start(2, Map.of());
    fakes.failure = new DeviceException(DeviceFailure.DEVICE_LOST, "fell off the bus");
    assertThatThrownBy(() -> reduceAll(comm, own(0, 64), own(0, 64), 16))
        .isInstanceOfSatisfying(
            CommException.class,
            e -> {
              assertThat(e.result()).isEqualTo(ResultCode.UNHANDLED_CUDA_ERROR);
              assertThat(e.failedRank()).isZero();
            })
        .hasMessageContaining("rank 0 failed in all_reduce: fell off the bus");
    assertThat(Objects.requireNonNull(fakes.aborted)).contains("fell off the bus");
    Await.until("rank 1 hears of it", () -> ranks.get(1).communicator().asyncError() != null);
    assertThatThrownBy(ranks.get(1)::check)
        .isInstanceOfSatisfying(CommException.class, e -> assertThat(e.failedRank()).isZero());
  }

  @Test
  void anAbortThatBreaksKeepsTheNewsFromNoRank() {
    DeviceCommunicator comm = start(2, Map.of());
    fakes.abortFailure = new IllegalStateException("a bug of the provider");
    comm.abort();
    Await.until("rank 1 hears of it", () -> ranks.get(1).communicator().asyncError() != null);
    assertThat(fakes.abortedRanks).contains(0);
  }

  @Test
  void whatTheProviderRefusesLeavesTheCommunicatorAsItWas() {
    DeviceCommunicator comm = start(1, Map.of());
    fakes.failure = new DeviceException(DeviceFailure.UNSUPPORTED, "not this type");
    assertThatThrownBy(() -> reduceAll(comm, own(0, 64), own(0, 64), 16))
        .hasMessage("all_reduce: not this type");
    fakes.failure = null;
    comm.check();
    reduceAll(comm, own(0, 64), own(0, 64), 16);
    assertThatThrownBy(() -> comm.register(own(0, 64))).hasMessage("register: no windows here");
    comm.check();
  }

  @Test
  void refusedMemoryOfOtherProcessesNamesTheWayOut() {
    fakes.joinFailure = new DeviceException(DeviceFailure.IPC_REFUSED, "no ptrace");
    assertThatThrownBy(() -> start(2, Map.of()))
        .isInstanceOfSatisfying(
            CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.SYSTEM_ERROR))
        .hasMessageContaining("no ptrace")
        .hasMessageContaining("NCCL_P2P_DISABLE=1");
  }

  @Test
  void preMultipliedSumsOfAnotherCommunicatorAreRefused() throws Exception {
    DeviceCommunicator comm = start(1, Map.of());
    try (Communicator other = Communicator.initAll(1, RankThreads.config(2)).getFirst()) {
      PreMulSum theirs = other.preMulSum(INT, 2);
      assertThatThrownBy(() -> comm.allReduce(own(0, 64), own(0, 64), 1, INT, theirs, stream))
          .hasMessageContaining("a pre-multiplied sum of another communicator");
    }
    PreMulSum own = comm.communicator().preMulSum(INT, 2);
    comm.allReduce(own(0, 64), own(0, 64), 1, INT, own, stream);
    assertThatThrownBy(() -> comm.allReduce(own(0, 64), own(0, 64), 1, DataType.INT8, own, stream))
        .hasMessageContaining("a pre-multiplied sum of int32");
  }

  /** As many calls as a training run makes must not wake the collector. */
  @Test
  void aLoopOfCallsAllocatesNothing() throws Throwable {
    int calls = 10_000;
    DeviceCommunicator comm = start(1, Map.of());
    fakes.records = false;
    DeviceBuffer a = own(0, 64);
    DeviceBuffer b = own(64, 64);
    PreMulSum scaled = comm.communicator().preMulSum(INT, 2);
    long allocated = Long.MAX_VALUE;
    // Interpreted code allocates, and when it is compiled is the JIT's affair.
    for (int attempt = 0; attempt < 100 && allocated >= calls; attempt++) {
      long before = ThreadAllocation.bytes();
      for (int i = 0; i < calls; i++) {
        comm.allReduce(a, b, 16, INT, ReductionOp.SUM, stream);
        comm.allReduce(a, b, 16, INT, scaled, stream);
        comm.reduceScatter(a, b, 16, INT, ReductionOp.AVG, stream);
        comm.broadcast(a, b, 16, INT, 0, stream);
        comm.allGather(a, b, 16, INT, stream);
        comm.check();
      }
      allocated = ThreadAllocation.bytes() - before;
    }
    assertThat(allocated).as("bytes for %d rounds", calls).isLessThan(calls);
  }
}
