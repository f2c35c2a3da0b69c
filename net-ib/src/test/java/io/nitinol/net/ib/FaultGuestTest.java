// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.net.ib.data.Overrun;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What can go wrong under a connection ends in an error with a name, on both ends and in time, and
 * afterwards the kernel holds what it held before: in the guest, which has rxe0 and rxe1 on the
 * ends of one cable.
 */
@Tag("rdma")
class FaultGuestTest {
  /** Soft-RoCE takes 7 retries for "without end"; cards do not. */
  static final String[] VARIABLES = {
    "NCCL_IB_TIMEOUT", "14",
    "NCCL_IB_RETRY_CNT", "6",
    "NCCL_IB_MQP_RETRY_CNT", "2",
    "NITINOL_IB_KEEPALIVE_SEC", "1",
    "NCCL_SOCKET_IFNAME", "=lo"
  };

  static final int BYTES = 1 << 16;

  /** 4.096 µs * 2^14 * (6 + 1), of which the specification allows a card to take four times. */
  private static final long RETRIES_MILLIS = 470;

  private static final int FREED_SECONDS = 60;

  private static final String REMOTE_SIDE = "on device 1 (rxe1): ";
  private static final String GONE = "the peer is gone (";

  private static Cable plugin;

  private final Wire wire = new Wire();
  private Cable cable;
  private Held before;
  private MemoryHandle sendMr;
  private MemoryHandle recvMr;

  @BeforeAll
  static void devicesAreHere() {
    assumeTrue(Cable.hasDevices(), "no two RDMA devices here");
    plugin = new Cable(VARIABLES);
    // What the cards keep for the process is made with the first connection.
    plugin.another().connect(0, 1).close();
  }

  @BeforeEach
  void count() {
    before = Held.now();
    cable = plugin.another();
  }

  @AfterEach
  void allIsFreed() {
    wire.close();
    cable.close();
    // Of a killed process, the kernel frees in its own time.
    try {
      Cable.until("freed", FREED_SECONDS, () -> Held.now().equals(before));
    } catch (AssertionError e) {
      assertThat(Held.now()).isEqualTo(before);
    }
  }

  @Test
  void aKeyThatIsNoneAnyMore() {
    connect();
    Request receive = receive();
    cable.net.deregMr(cable.recv, recvMr);
    Request send = send(BYTES);
    List<NetException> failures = failures(send, receive);
    assertThat(failures.get(0))
        .hasMessageMatching("peer 127\\.0\\.0\\.1:\\d+ from device 0 \\(rxe0\\): .*")
        .hasMessageContainingAll(
            "RDMA_WRITE_WITH_IMM failed with REM_ACCESS_ERR (remote access error), vendor error 0x",
            "on rxe0:1 queue pair ",
            "the peer's memory is not registered any more");
    assertThat(failures.get(1)).hasMessageContainingAll(REMOTE_SIDE, "REM_ACCESS_ERR");
    assertThat(failures).extracting(NetException::result).containsOnly(ResultCode.REMOTE_ERROR);
  }

  /** What is called later says the same. */
  @Test
  void aNetworkThatLosesAll() {
    connect();
    message(BYTES);
    Request receive = receive();
    wire.lose("veth0");
    long start = System.nanoTime();
    Request send = send(BYTES);
    List<NetException> failures = failures(send, receive);
    assertThat(millis(start)).isGreaterThan(RETRIES_MILLIS / 2);
    assertThat(failures.get(0))
        .hasMessageContainingAll(
            "RDMA_WRITE_WITH_IMM failed with RETRY_EXC_ERR (transport retry counter exceeded)",
            "on rxe0:1 queue pair ",
            "NCCL_IB_TIMEOUT",
            "NCCL_IB_RETRY_CNT",
            "MTU");
    assertThat(failures.get(1)).hasMessageContainingAll(REMOTE_SIDE, GONE, "RETRY_EXC_ERR");
    assertThat(failures).extracting(NetException::result).containsOnly(ResultCode.REMOTE_ERROR);
    for (BooleanSupplier call :
        List.<BooleanSupplier>of(
            () -> cable.net.isend(cable.send, sendMr, 0, 8, 0) != null,
            () -> cable.net.test(send, null))) {
      assertThat(Cable.failure(call)).hasMessage(failures.get(0).getMessage());
    }
  }

  /** Nothing answers, neither cards nor kernels: who only receives hears of it by TCP. */
  @Test
  void aHostThatVanishes() {
    connect();
    Request receive = receive();
    wire.lose("lo");
    wire.lose("veth0");
    NetException failure = failures(receive).getFirst();
    assertThat(failure).hasMessageContainingAll(REMOTE_SIDE, GONE, "timed out", "1 request");
    assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
  }

  @Test
  void aLinkThatGoesDown() {
    connect();
    message(BYTES);
    Request receive = receive();
    wire.down("veth0");
    List<NetException> failures = failures(send(BYTES), receive);
    assertThat(failures.get(0))
        .hasMessageContainingAll("RDMA_WRITE_WITH_IMM failed with ", "port rxe0:1 is down");
    assertThat(failures.get(1)).hasMessageContainingAll(REMOTE_SIDE, GONE, "port rxe0:1 is down");
    assertThat(failures).extracting(NetException::result).containsOnly(ResultCode.REMOTE_ERROR);
    assertThat(plugin.log).anyMatch(line -> line.contains("PORT_ERR on rxe0:1"));
  }

  /** The receiver is the first to send: what it is ready for. */
  @Test
  void aLinkThatIsDownForTheReceiver() {
    connect();
    message(BYTES);
    wire.down("veth1");
    // The write that says clear to send fails, and the posted receives are flushed; either is
    // first.
    assertThat(failures(receive()).getFirst())
        .hasMessageContainingAll(REMOTE_SIDE, " failed with ", "_ERR (", "port rxe1:1 is down");
    assertThat(sendingFails())
        .hasMessageContainingAll("device 0 (rxe0): ", GONE, "port rxe1:1 is down");
  }

  @Test
  void aLinkThatIsDownBeforeAllBegins() {
    wire.down("veth1");
    MemorySegment handle = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8);
    cable.listener = cable.net.listen(1, handle);
    NetException accepting =
        Cable.failure(() -> {
          cable.send = cable.net.connect(0, handle);
          cable.recv = cable.net.accept(cable.listener);
          return cable.send != null || cable.recv != null;
        });
    NetException connecting = Cable.failure(() -> cable.net.connect(0, handle) != null);
    assertThat(accepting)
        .hasMessageContainingAll(
            REMOTE_SIDE,
            "ibv_modify_qp to RTR",
            "Network is unreachable",
            "the peer's address did not resolve: check NCCL_IB_GID_INDEX")
        .extracting("result")
        .isEqualTo(ResultCode.SYSTEM_ERROR);
    assertThat(connecting)
        .hasMessageContainingAll(
            "device 0 (rxe0): the peer does not connect: ", REMOTE_SIDE, "Network is unreachable")
        .extracting("result")
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }

  /**
   * Ports need not agree: packets are no longer than the smaller MTU, whoever has it. The larger
   * would be lost on its way to who has the smaller.
   */
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0"})
  void portsOfDifferentMtu(int from, int to) {
    wire.mtu("veth1", 1500);
    Cable other = new Cable(VARIABLES);
    other.another().connect(0, 1).close();
    before = Held.now();
    cable = other.another();
    cable.connect(from, to);
    MemorySegment source = cable.random(BYTES, 5);
    MemorySegment target = cable.memory(BYTES);
    sendMr = cable.register(cable.send, source);
    recvMr = cable.register(cable.recv, target);
    long sent = Wire.sent("veth" + from);
    message(BYTES);
    assertThat(source.mismatch(target)).isEqualTo(-1);
    // 64 of 1024 bytes and a few that say clear to send; 16 would be those of 4096.
    assertThat(Wire.sent("veth" + from) - sent).isGreaterThanOrEqualTo(BYTES / 1024);
  }

  /** What neither port knows of: short messages pass, long ones never. */
  @Test
  void aSmallerMtuOnTheWay() {
    connect();
    wire.loseLarge("veth0");
    message(8);
    Request receive = receive();
    List<NetException> failures = failures(send(BYTES), receive);
    assertThat(failures.get(0)).hasMessageContainingAll("RETRY_EXC_ERR", "MTU of both ports");
    assertThat(failures.get(1)).hasMessageContainingAll(REMOTE_SIDE, "RETRY_EXC_ERR");
  }

  /** All receives complete while nobody looks. */
  @Test
  void aCompletionQueueHoldsAllThatMayCome() {
    connect();
    List<Request> receives = new ArrayList<>();
    for (Request next = tryReceive(); next != null; next = tryReceive()) {
      receives.add(next);
    }
    assertThat(receives).hasSize(Net.MAX_REQUESTS);
    for (int i = 0; i < receives.size(); i++) {
      cable.finish(List.of(send(8)), null);
    }
    cable.finish(receives, null);
    assertThat(plugin.log).noneMatch(line -> line.contains("CQ_ERR on rxe0"));
  }

  @Test
  void aCompletionQueueThatOverruns() {
    connect();
    Request receive = receive();
    Overrun.of(cable.recv);
    NetException failure = failures(receive).getFirst();
    assertThat(failure)
        .hasMessageContainingAll(
            REMOTE_SIDE,
            "asynchronous event CQ_ERR on rxe1, a completion queue",
            "while receiving, 1 request in flight");
    assertThat(failure.result()).isEqualTo(ResultCode.SYSTEM_ERROR);
    assertThat(sendingFails())
        .hasMessageContainingAll(GONE, "CQ_ERR on rxe1")
        .extracting("result")
        .isEqualTo(ResultCode.REMOTE_ERROR);
    // The driver says it with every completion from there on.
    assertThat(plugin.log.stream().filter(line -> line.contains("CQ_ERR on rxe1")))
        .hasSizeBetween(1, 30);
  }

  @Test
  void aProcessThatIsKilled() throws Exception {
    MemorySegment handle = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8);
    cable.listener = cable.net.listen(0, handle);
    try (FaultPeer peer = new FaultPeer(cable, handle)) {
      register();
      Request receive = receive();
      for (int i = 0; i < 20; i++) {
        cable.finish(List.of(send(BYTES)), null);
      }
      peer.kill();
      NetException sending = sendingFails();
      assertThat(sending)
          .hasMessageContainingAll("device 0 (rxe0): ", GONE, "closed the connection")
          .extracting("result")
          .isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failures(receive).getFirst())
          .hasMessageContainingAll("device 0 (rxe0): ", GONE, "closed", "1 request in flight")
          .extracting("result")
          .isEqualTo(ResultCode.REMOTE_ERROR);
    }
  }

  private void connect() {
    cable.connect(0, 1);
    register();
  }

  private void register() {
    sendMr = cable.register(cable.send, cable.memory(BYTES));
    recvMr = cable.register(cable.recv, cable.memory(BYTES));
  }

  private Request receive() {
    return cable.irecv(recvMr, 0, BYTES, 0);
  }

  private Request tryReceive() {
    return cable.net.irecv(
        cable.recv,
        1,
        new MemoryHandle[] {recvMr},
        new long[] {0},
        new long[] {BYTES},
        new int[] {0});
  }

  private Request send(int length) {
    return cable.isend(sendMr, 0, length, 0);
  }

  /** Sends until that fails; what is accepted is never asked for. */
  private NetException sendingFails() {
    return Cable.failure(() -> {
      cable.net.isend(cable.send, sendMr, 0, BYTES, 0);
      return false;
    });
  }

  private void message(int length) {
    Request receive = receive();
    cable.finish(List.of(send(length), receive), null);
  }

  /** Waits until each request has failed; returns how, in the same order. */
  private List<NetException> failures(Request... requests) {
    NetException[] failures = new NetException[requests.length];
    int failed = 0;
    while (failed < requests.length) {
      for (int i = 0; i < requests.length; i++) {
        if (failures[i] == null) {
          try {
            assertThat(cable.net.test(requests[i], null)).as("completed").isFalse();
          } catch (NetException e) {
            failures[i] = e;
            failed++;
          }
        }
      }
      assertThat(Thread.currentThread().isInterrupted()).as("%s failed in time", failed).isFalse();
      Thread.yield();
    }
    return List.of(failures);
  }

  private static long millis(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
