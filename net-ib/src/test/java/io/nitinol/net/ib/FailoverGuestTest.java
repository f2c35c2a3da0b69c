// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.net.ib.data.Fracture;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A connection of two ports on each side that loses one of them: nothing is lost, nothing is
 * written where it must not be any more, and where no port is left both sides say so. In the guest,
 * when it has two cables: rxe0 and rxe1 on the ends of one, rxe2 and rxe3 on those of the other.
 */
@Tag("two-cables")
class FailoverGuestTest {
  private static final int MESSAGES = 80;

  /** The first port of each side is on the first cable. */
  private static final String MERGE = "rxe0,rxe2;rxe1,rxe3";

  /** 67 ms, seven times: until a card says that nobody answers. */
  private static final String[] VARIABLES = {
    "NCCL_IB_TIMEOUT", "14",
    "NCCL_IB_RETRY_CNT", "6",
    "NCCL_IB_MQP_RETRY_CNT", "2",
    "NITINOL_IB_KEEPALIVE_SEC", "1",
    "NCCL_SOCKET_IFNAME", "=lo",
    "NCCL_NET_FORCE_MERGE", MERGE
  };

  private static List<Cable> plugins;

  private final Wire wire = new Wire();
  private final List<Cable> cables = new ArrayList<>();
  private Held before;

  @BeforeAll
  static void devicesAreHere() {
    assumeTrue(
        Files.exists(Path.of("/sys/class/infiniband/rxe3")), "no second pair of RDMA devices here");
    plugins = List.of(plugin(1, 0), plugin(3, 1), plugin(2, 0));
    plugins.forEach(plugin -> plugin.another().connect(0, 1).close());
  }

  /** Returns a plugin of a test of its own. */
  private Cable fresh(Cable plugin, int from, int to) {
    // What the cards keep for a plugin is made with its first connection.
    plugin.another().connect(from, to).close();
    before = Held.now();
    return plugin;
  }

  private static Cable plugin(int pairs, int split, String... more) {
    List<String> all = new ArrayList<>(List.of(VARIABLES));
    all.addAll(List.of("NCCL_IB_QPS_PER_CONNECTION", String.valueOf(pairs)));
    all.addAll(List.of("NCCL_IB_SPLIT_DATA_ON_QPS", String.valueOf(split)));
    all.addAll(List.of(more));
    return new Cable(all.toArray(String[]::new));
  }

  @BeforeEach
  void count() {
    before = Held.now();
    plugins.forEach(plugin -> plugin.log.clear());
  }

  @AfterEach
  void allIsFreed() {
    wire.close();
    cables.forEach(Cable::close);
    try {
      Cable.until("freed", () -> Held.now().equals(before));
    } catch (AssertionError e) {
      assertThat(Held.now()).isEqualTo(before);
    }
  }

  private Cable connect(Cable plugin, int from, int to) {
    Cable cable = plugin.another();
    cables.add(cable);
    return cable.connect(from, to);
  }

  @ParameterizedTest
  @EnumSource
  void messagesArriveAllTheSame(PortFault fault) {
    for (Cable plugin : plugins) {
      for (int run = 0; run < (fault.compareTo(PortFault.CABLE_OUT) < 0 ? 3 : 1); run++) {
        survive(plugin, fault, 1000L * fault.ordinal() + 100L * plugins.indexOf(plugin) + run);
      }
    }
  }

  /** Both ways at once, and one of the four ports fails at a moment that the seed decides. */
  private void survive(Cable plugin, PortFault fault, long seed) {
    String what = fault + ", seed " + seed;
    plugin.log.clear();
    SplittableRandom random = new SplittableRandom(seed);
    List<Cable> both = List.of(connect(plugin, 0, 1), connect(plugin, 1, 0));
    Cable struck = both.get(random.nextInt(2));
    int pairs = Fracture.pairs(struck.send);
    int lane = random.nextInt(pairs);
    List<Flow> flows = new ArrayList<>();
    both.forEach(each -> flows.add(new Flow(each, MESSAGES, seed + flows.size())));
    int moment = random.nextInt(MESSAGES / 4);
    int steps = random.nextInt(20);
    boolean done = false;
    int after = -1;
    while (!done) {
      done = true;
      for (Flow flow : flows) {
        done &= flow.step();
      }
      if (after < 0 && flows.get(both.indexOf(struck)).received() >= moment) {
        after = 0;
      }
      if (after >= 0 && after++ == steps) {
        fault.strike(struck, lane, wire);
      }
      assertThat(Thread.currentThread().isInterrupted()).as("out of time: %s", what).isFalse();
    }
    assertThat(after).as("strike in %s", what).isGreaterThan(steps);
    flows.forEach(Flow::checkAtRest);
    boolean all = fault.compareTo(PortFault.CABLE_OUT) >= 0;
    for (Cable each : both) {
      boolean hit = all || each == struck;
      assertThat(Fracture.paths(each.send)).as(what).isEqualTo(hit ? 1 : 2);
      assertThat(Fracture.pairs(each.recv)).as(what).isEqualTo(hit ? pairs / 2 : pairs);
      assertThat(Fracture.ready(each.send)).as(what).isEqualTo(hit ? pairs / 2 : pairs);
    }
    assertThat(plugin.log.stream().filter(line -> line.contains("goes on through rxe")))
        .as("%s: %s", what, plugin.log)
        .hasSize(all ? 4 : 2)
        .allMatch(line -> line.startsWith("WARN"));
    wire.close();
    both.forEach(Cable::close);
    cables.removeAll(both);
  }

  @Test
  void theLogNamesWhatFailedAndWhatIsLeft() {
    Cable plugin = plugins.getFirst();
    Cable cable = connect(plugin, 0, 1);
    Flow flow = new Flow(cable, 20, 5);
    Cable.until("some messages", () -> flow.step() || flow.received() > 5);
    wire.down("veth2");
    Cable.until("all messages", flow::step);
    assertThat(plugin.log)
        .anyMatch(line ->
            line.matches(
                "WARN NET/IB : peer 127.0.0.1:\\d+ from device 0 \\(rxe0\\+rxe2\\): goes on"
                    + " through rxe0:1 with 1 queue pair, \\d+ ms after it stopped;.*"))
        .anyMatch(line ->
            line.contains("on device 1 (rxe1+rxe3): goes on through rxe1:1 with 1 queue pair"))
        .anyMatch(line -> line.contains("port rxe2:1 is down; trying to go on without it"));
  }

  /** When the port is back, it is used by what is connected then. */
  @Test
  void aConnectionMadeLaterUsesAllPorts() {
    Cable plugin = plugins.getFirst();
    Cable first = connect(plugin, 0, 1);
    Flow flow = new Flow(first, 20, 5);
    Cable.until("some messages", () -> flow.step() || flow.received() > 5);
    wire.down("veth2");
    Cable.until("all messages", flow::step);
    wire.close();
    Cable second = connect(plugin, 0, 1);
    Flow other = new Flow(second, 20, 6);
    Cable.until("all messages", other::step);
    assertThat(Fracture.paths(first.send)).isEqualTo(1);
    assertThat(Fracture.paths(second.send)).isEqualTo(2);
  }

  /** One side with one port: what is lost is the path. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneSideHasOnePort(boolean sender) {
    String[] one = {"NCCL_SOCKET_IFNAME", "=lo"};
    String[] two = {"NCCL_SOCKET_IFNAME", "=lo", "NCCL_NET_FORCE_MERGE", "rxe0,rxe1"};
    Cable plugin = fresh(sender ? new Cable(two, one) : new Cable(one, two), 0, 0);
    Cable cable = connect(plugin, 0, 0);
    Flow flow = new Flow(cable, 40, 9);
    Cable.until("some messages", () -> flow.step() || flow.received() > 9);
    assertThat(Fracture.paths(cable.send)).isEqualTo(2);
    Fracture.pair(sender ? cable.recv : cable.send, 1);
    Cable.until("all messages", flow::step);
    assertThat(Fracture.paths(cable.recv)).isEqualTo(1);
  }

  /** One after the other. */
  @Test
  void theLastPortIsNotSurvived() {
    Cable cable = connect(plugins.getFirst(), 0, 1);
    Flow flow = new Flow(cable, MESSAGES, 8);
    Cable.until("some messages", () -> flow.step() || flow.received() > 9);
    Fracture.pair(cable.send, 1);
    Cable.until("all messages", flow::step);
    assertThat(Fracture.paths(cable.send)).isEqualTo(1);
    Message message = new Message(cable);
    Fracture.pair(cable.send, 0);
    List<NetException> failures = failures(cable, message.send(), message.receive);
    assertThat(failures)
        .extracting(NetException::getMessage)
        .allMatch(text -> text.contains("WR_FLUSH_ERR") && text.contains("on rxe0:1 queue pair "));
  }

  @Test
  void bothPortsDown() {
    Cable cable = connect(plugins.getFirst(), 0, 1);
    Message message = new Message(cable);
    wire.down("veth0");
    wire.down("veth2");
    List<NetException> failures = failures(cable, message.send(), message.receive);
    assertThat(failures).extracting(NetException::result).containsOnly(ResultCode.REMOTE_ERROR);
    assertThat(failures)
        .extracting(NetException::getMessage)
        .allMatch(text -> text.contains(" is down; no other port is left"));
  }

  /** Nothing is down, and nobody answers on either way: the second is found out after the first. */
  @Test
  void packetsLostOnBothWays() {
    Cable cable = connect(plugins.getFirst(), 0, 1);
    Message message = new Message(cable);
    for (String end : List.of("veth0", "veth2")) {
      wire.lose(end);
    }
    assertThat(failures(cable, message.send(), message.receive))
        .extracting(NetException::getMessage)
        .allMatch(text -> text.contains("RETRY_EXC_ERR"));
  }

  @Test
  void switchedOff() {
    Cable plugin = fresh(plugin(1, 0, "NCCL_IB_RESILIENCY_PORT_FAILOVER", "0"), 0, 1);
    Cable cable = connect(plugin, 0, 1);
    Message message = new Message(cable);
    Fracture.pair(cable.send, 1);
    assertThat(failures(cable, message.send(), message.receive))
        .extracting(NetException::getMessage)
        .allMatch(text -> text.contains("WR_FLUSH_ERR"));
    assertThat(plugin.log).noneMatch(line -> line.contains("go on"));
  }

  /** Its process lives, and calls nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPeerThatDoesNotAnswer(boolean sender) {
    Cable cable = connect(fresh(plugin(1, 0, "NITINOL_IB_FAILOVER_MSEC", "700"), 0, 1), 0, 1);
    Message message = new Message(cable);
    Fracture.pair(sender ? cable.send : cable.recv, 1);
    Request send = message.send();
    long start = System.nanoTime();
    NetException failure = cable.failure(sender ? send : message.receive);
    assertThat(millis(start)).isGreaterThanOrEqualTo(600L);
    assertThat(failure)
        .hasMessageContainingAll(
            "WR_FLUSH_ERR", "within 700 ms", "NITINOL_IB_FAILOVER_MSEC", "has not answered")
        .extracting("result")
        .isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(cable.failure(sender ? message.receive : send))
        .hasMessageContaining("the peer is gone (");
  }

  /** Nobody answers a side that comes late on any way, since the other has stopped. */
  @Test
  void whoComesLateLosesNoOtherPort() {
    Cable cable = connect(plugins.getFirst(), 0, 1);
    Message message = new Message(cable);
    Fracture.pair(cable.send, 1);
    Request send = message.send();
    Cable.until("stopped", () -> cable.test(send, null) || Fracture.pairs(cable.send) == 0);
    List<Request> late = List.of(message.receive(), message.receive());
    long start = System.nanoTime();
    Cable.until("its retries over", () -> cable.test(send, null) || millis(start) > 1500);
    List<Request> open = new ArrayList<>(List.of(message.receive, send));
    Cable.until(
        "what was under way",
        () -> {
          open.removeIf(each -> cable.test(each, null));
          return open.isEmpty();
        });
    cable.finish(List.of(message.send(), message.send()), null);
    cable.finish(late, null);
    assertThat(Fracture.paths(cable.send)).isEqualTo(1);
    assertThat(Fracture.paths(cable.recv)).isEqualTo(1);
  }

  /**
   * What was said to it last is never acknowledged; unless the other port gave up in the same
   * moment, so that nothing was said.
   */
  @Test
  void aHostThatIsGone() {
    Cable cable = connect(plugins.getFirst(), 0, 1);
    Message message = new Message(cable);
    for (String end : List.of("veth0", "veth1", "veth2", "veth3", "lo")) {
      wire.lose(end);
    }
    Request send = message.send();
    long start = System.nanoTime();
    NetException failure = cable.failure(send);
    if (failure.getMessage().contains("no other port is left")) {
      assertThat(failure).hasMessageContaining("RETRY_EXC_ERR");
    } else {
      assertThat(failure).hasMessageContaining("NITINOL_IB_KEEPALIVE_SEC");
      assertThat(millis(start)).isGreaterThanOrEqualTo(5000L);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPeerThatIsGone(boolean sender) {
    Cable cable = connect(plugins.getFirst(), 0, 1);
    Message message = new Message(cable);
    Comm struck = sender ? cable.send : cable.recv;
    Fracture.pair(struck, 1);
    Request send = message.send();
    Request own = sender ? send : message.receive;
    Cable.until("stopped", () -> cable.test(own, null) || Fracture.pairs(struck) == 0);
    if (sender) {
      cable.closeRecv();
    } else {
      cable.closeSend();
    }
    assertThat(cable.failure(own))
        .hasMessageContainingAll("WR_FLUSH_ERR", "the peer is gone (")
        .extracting("result")
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }

  /** A message that both ports carry together: asked for, and not sent. */
  private static final class Message {
    final Request receive;
    private final Cable cable;
    private final MemoryHandle mr;
    private final MemoryHandle recvMr;

    Message(Cable cable) {
      this.cable = cable;
      this.mr = cable.register(cable.send, cable.memory(1 << 16));
      this.recvMr = cable.register(cable.recv, cable.memory(1 << 16));
      cable.finish(List.of(cable.irecv(recvMr, 0, 1 << 16, 0), send()), null);
      this.receive = receive();
      Cable.until("clear to send", () -> Fracture.isClear(cable.send));
    }

    Request receive() {
      return cable.irecv(recvMr, 0, 1 << 16, 0);
    }

    Request send() {
      return cable.isend(mr, 0, 1 << 16, 0);
    }
  }

  private static List<NetException> failures(Cable cable, Request... requests) {
    NetException[] failures = new NetException[requests.length];
    while (IntStream.range(0, failures.length).anyMatch(i -> failures[i] == null)) {
      for (int i = 0; i < requests.length; i++) {
        if (failures[i] == null) {
          try {
            assertThat(cable.test(requests[i], null)).as("completed").isFalse();
          } catch (NetException e) {
            failures[i] = e;
          }
        }
      }
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
    }
    return List.of(failures);
  }

  private static long millis(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
