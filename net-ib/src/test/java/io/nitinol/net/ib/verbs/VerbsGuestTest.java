// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verbs on real devices: in the guest, which has rxe0 and rxe1 on the ends of one cable. */
@Tag("rdma")
class VerbsGuestTest {
  /** An emulated machine on a busy one may be slow to tell an event. */
  private static final int EVENT_SECONDS = 120;

  private List<String> resources;

  @BeforeEach
  void devicesAreHere() throws Exception {
    try (DeviceList list = DeviceList.read()) {
      List<String> names = list.devices().stream().map(VerbsDevice::name).toList();
      assumeTrue(
          names.containsAll(List.of("rxe0", "rxe1")),
          "no rxe0 and rxe1 here but " + names + " (" + list.emptyReason() + ")");
    }
    resources = resources();
  }

  @AfterEach
  void allIsFreed() throws Exception {
    if (resources != null) {
      assertThat(resources()).isEqualTo(resources);
    }
  }

  /** What this process and the devices hold. */
  private static List<String> resources() throws IOException, InterruptedException {
    List<String> held = new ArrayList<>();
    for (String line : run("rdma", "resource", "show").split("\n")) {
      held.add(line.strip());
    }
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      held.add(
          descriptors
                  .filter(
                      file -> target(file).contains("infiniband") || target(file).contains("anon"))
                  .count()
              + " descriptors of devices and events");
    }
    return held;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s: %s", List.of(command), output).isZero();
    return output;
  }

  @Test
  void devicesAndPortsAreAsTheKernelSays() {
    try (DeviceList list = DeviceList.read()) {
      assertThat(list.emptyReason()).isNull();
      for (VerbsDevice device : list.devices()) {
        assertThat(device.sysfsPath()).isEqualTo("/sys/class/infiniband/" + device.name());
        assertThat(Path.of("/dev/infiniband", device.fileName())).exists();
        assertThat(device.nodeType()).contains("InfiniBand channel adapter");
        try (VerbsContext context = device.open()) {
          DeviceAttributes attributes = context.queryDevice();
          assertThat(attributes.ports()).isEqualTo(1);
          assertThat(attributes.nodeGuid()).isEqualTo(device.guid()).isNotZero();
          assertThat(sysfs(device, "node_guid").replace(":", ""))
              .isEqualTo("%016x".formatted(device.guid()));
          assertThat(attributes.maxQueuePairs()).isPositive();
          assertThat(attributes.maxRegionBytes()).isNotZero();
          PortAttributes port = context.queryPort(1);
          assertThat(port.active()).isTrue();
          assertThat(port.ethernet()).isTrue();
          assertThat(port.activeMtu()).isBetween(1, 5);
          assertThat(sysfs(device, "ports/1/rate")).isNotEmpty();
          assertThat(context.queryPkey(1, 0)).isEqualTo(0xffff);
          GidEntry entry = context.queryGidEntry(1, Side.GID_INDEX);
          assertThat(entry).isNotNull().returns(2, GidEntry::type);
          assertThat(entry.gid()).isEqualTo(context.queryGid(1, Side.GID_INDEX));
          assertThat(entry.gid().toString())
              .isEqualTo(sysfs(device, "ports/1/gids/" + Side.GID_INDEX))
              .startsWith("0000:0000:0000:0000:0000:ffff:0a4d:000");
          assertThat(Gid.of(entry.gid().toBytes())).isEqualTo(entry.gid());
          assertThatThrownBy(() -> context.queryPort(7))
              .isInstanceOf(VerbsException.class)
              .hasMessageContainingAll("ibv_query_port on " + device.name() + ":7", "errno");
        }
      }
    }
  }

  private static String sysfs(VerbsDevice device, String file) {
    try {
      return Files.readString(Path.of(device.sysfsPath(), file)).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @ParameterizedTest
  @CsvSource({"rxe0,rxe1,2", "rxe0,rxe0,1", "rxe1,rxe0,4"})
  void writesCarryDataAndImmediate(String first, String second, int pairs) {
    try (Side a = new Side(first, pairs);
        Side b = new Side(second, pairs)) {
      Side.connect(a, b);
      for (int i = 0; i < Side.BYTES; i++) {
        a.memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + i / 256));
      }
      int share = Side.BYTES / pairs;
      for (int i = 0; i < pairs; i++) {
        b.receives.id(i, 500 + i);
        b.pairs[i].post(b.receives, i);
        // Two halves in one chain, of which the second says that all is there.
        a.send(SendRequests.RDMA_WRITE, 0, (long) i * share, share / 2, b);
        a.sends.next(0, 1);
        a.sends.id(1, i);
        a.sends.opcode(1, SendRequests.RDMA_WRITE_WITH_IMMEDIATE);
        a.sends.flags(1, SendRequests.SIGNALED);
        a.sends.immediate(1, 0xabc00000 + i);
        long at = (long) i * share + share / 2;
        a.sends.local(1, a.memory.address() + at, share / 2, a.region.localKey());
        a.sends.remote(1, b.memory.address() + at, b.region.remoteKey());
        a.pairs[i].post(a.sends, 0);
      }
      for (int n = 0; n < pairs; n++) {
        WorkCompletions got = b.awaitSuccess();
        int i = (int) got.id(0) - 500;
        assertThat(got.opcode(0)).isEqualTo(WorkCompletions.RECEIVE_RDMA_WITH_IMMEDIATE);
        assertThat(got.hasImmediate(0)).isTrue();
        assertThat(got.immediate(0)).isEqualTo(0xabc00000 + i);
        assertThat(got.bytes(0)).isEqualTo(share / 2);
        assertThat(got.queuePair(0)).isEqualTo(b.pairs[i].number());
      }
      for (int n = 0; n < pairs; n++) {
        WorkCompletions sent = a.awaitSuccess();
        assertThat(sent.opcode(0)).isEqualTo(WorkCompletions.RDMA_WRITE);
        assertThat(sent.id(0)).isBetween(0L, pairs - 1L);
        assertThat(sent.queuePair(0)).isEqualTo(a.pairs[(int) sent.id(0)].number());
      }
      assertThat(a.memory.mismatch(b.memory)).isEqualTo(-1);
      assertThat(a.pairs[0].state()).isEqualTo(QueuePair.State.RTS);
    }
  }

  @Test
  void nothingInlineAndReadWork() {
    try (Side a = new Side("rxe0", 1);
        Side b = new Side("rxe1", 1)) {
      Side.connect(a, b);
      b.pairs[0].post(b.receives, 0);
      a.send(SendRequests.RDMA_WRITE_WITH_IMMEDIATE, SendRequests.SIGNALED, 0, 0, b);
      a.sends.immediate(0, 7);
      a.pairs[0].post(a.sends, 0);
      assertThat(b.awaitSuccess().immediate(0)).isEqualTo(7);
      assertThat(b.done.bytes(0)).isZero();
      a.awaitSuccess();

      assertThat(a.pairs[0].inlineBytes()).isGreaterThanOrEqualTo(64);
      a.memory.setString(64, "inline");
      a.send(SendRequests.RDMA_WRITE, SendRequests.SIGNALED | SendRequests.INLINE, 64, 7, b);
      a.sends.local(0, a.memory.address() + 64, 7, 0); // no key is looked at
      a.pairs[0].post(a.sends, 0);
      a.awaitSuccess();
      Side.until("inline data arrives", () -> b.memory.getString(64).equals("inline"));

      b.memory.set(ValueLayout.JAVA_LONG, 4096, 42);
      a.send(SendRequests.RDMA_READ, SendRequests.SIGNALED, 4096, 8, b);
      a.pairs[0].post(a.sends, 0);
      assertThat(a.awaitSuccess().opcode(0)).isEqualTo(WorkCompletions.RDMA_READ);
      assertThat(a.memory.get(ValueLayout.JAVA_LONG, 4096)).isEqualTo(42);
    }
  }

  @Test
  void aSendGoesWhereTheReceiveSays() {
    try (Side a = new Side("rxe0", 1);
        Side b = new Side("rxe1", 1)) {
      Side.connect(a, b);
      b.receives.local(3, b.memory.address() + 512, 256, b.region.localKey());
      b.receives.id(3, 33);
      b.pairs[0].post(b.receives, 3);
      a.memory.setString(0, "to wherever");
      a.send(SendRequests.SEND, SendRequests.SIGNALED, 0, 12, b);
      a.pairs[0].post(a.sends, 0);
      assertThat(b.awaitSuccess().id(0)).isEqualTo(33);
      assertThat(b.done.bytes(0)).isEqualTo(12);
      assertThat(b.memory.getString(512)).isEqualTo("to wherever");
      a.awaitSuccess();
    }
  }

  @Test
  void aWrongKeyIsARemoteAccessError() {
    try (Side a = new Side("rxe0", 1);
        Side b = new Side("rxe1", 1)) {
      Side.connect(a, b);
      a.send(SendRequests.RDMA_WRITE, SendRequests.SIGNALED, 0, 64, b);
      a.sends.remote(0, b.memory.address(), b.region.remoteKey() ^ 0x55);
      a.pairs[0].post(a.sends, 0);
      a.await();
      assertThat(a.done.status(0)).isEqualTo(WorkCompletions.REMOTE_ACCESS_ERROR);
      assertThat(Verbs.statusName(a.done.status(0))).isEqualTo("REM_ACCESS_ERR");
      assertThat(Verbs.statusText(a.done.status(0))).isEqualTo("remote access error");
      assertThat(a.done.id(0)).isEqualTo(1000);
      assertThat(a.done.queuePair(0)).isEqualTo(a.pairs[0].number());
      assertThat(a.pairs[0].state()).isEqualTo(QueuePair.State.ERR);
      a.send(SendRequests.RDMA_WRITE, SendRequests.SIGNALED, 0, 64, b);
      a.pairs[0].post(a.sends, 0);
      a.await();
      assertThat(a.done.status(0)).isEqualTo(WorkCompletions.FLUSHED);
    }
  }

  @Test
  void aPeerThatIsGoneIsRetryExceeded() {
    try (Side a = new Side("rxe0", 1);
        Side b = new Side("rxe1", 1)) {
      a.connect(0, 0xfffff0, b, 10, 1); // 4 ms, once more
      a.send(SendRequests.RDMA_WRITE, SendRequests.SIGNALED, 0, 64, b);
      a.pairs[0].post(a.sends, 0);
      a.await();
      assertThat(a.done.status(0)).isEqualTo(WorkCompletions.RETRY_EXCEEDED);
    }
  }

  @Test
  void postingToAFullQueueAndBeforeTimeIsRefused() {
    try (Side a = new Side("rxe0", 1);
        Side b = new Side("rxe1", 1)) {
      a.send(SendRequests.RDMA_WRITE, SendRequests.SIGNALED, 0, 64, b);
      assertThatThrownBy(() -> a.pairs[0].post(a.sends, 0))
          .isInstanceOf(VerbsException.class)
          .hasMessageContainingAll("ibv_post_send", "rxe0", "Invalid argument");
      for (int i = 0; i < 15; i++) {
        a.receives.next(i, i + 1);
      }
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  a.pairs[0].post(a.receives, 0);
                }
              })
          .isInstanceOf(VerbsException.class)
          .hasMessageContainingAll("ibv_post_recv", "after the first", "the queue is full")
          .extracting(e -> ((VerbsException) e).errno())
          .isEqualTo(Errno.ENOMEM);
      assertThatThrownBy(() -> a.pairs[0].toRts(0, 14, 7, 7, 1))
          .isInstanceOf(VerbsException.class)
          .hasMessageContainingAll("ibv_modify_qp to RTS", "on rxe0", "NCCL_IB_TIMEOUT");
      assertThatThrownBy(() -> a.domain.register(1L << 40, 4096, Side.ALL))
          .isInstanceOf(VerbsException.class)
          .hasMessageContainingAll("of 4096 bytes on rxe0", "errno");
    }
  }

  @Test
  void completionsAreAnnouncedToThoseWhoAsk() {
    try (Side a = new Side("rxe0", 1);
        Side b = new Side("rxe1", 1)) {
      Side.connect(a, b);
      assertThat(b.channel.await(0)).isZero();
      b.queue.requestNotification();
      b.pairs[0].post(b.receives, 0);
      a.send(SendRequests.RDMA_WRITE_WITH_IMMEDIATE, SendRequests.SIGNALED, 0, 8, b);
      a.pairs[0].post(a.sends, 0);
      assertThat(b.channel.await(20_000)).isEqualTo(b.queue.address());
      assertThat(b.queue.poll(b.done)).isEqualTo(1);
      a.awaitSuccess();
    }
  }

  @Test
  void driversSayWhetherTheyTakeDmaBufs() {
    try (Side a = new Side("rxe0", 1)) {
      assertThat(Verbs.hasDmaBuf()).isTrue();
      assertThat(a.domain.dmaBufSupported()).isFalse(); // Soft-RoCE does not
      assertThat(a.pairs[0].queryEce())
          .satisfiesAnyOf(
              ece -> assertThat(ece).isNull(), ece -> assertThat(ece.options()).isZero());
    }
  }

  @Test
  void aLinkThatGoesDownAndUpIsTold() throws Exception {
    try (Side a = new Side("rxe0", 1)) {
      Gid gid = a.context.queryGid(1, Side.GID_INDEX);
      while (a.context.nextEvent(0) != null) {} // of those before
      try {
        run("ip", "link", "set", "veth0", "down");
        AsyncEvent event = awaitEvent(a.context, AsyncEvent.Type.PORT_ERR);
        assertThat(event.port()).isEqualTo(1);
        assertThat(event.queuePair()).isEqualTo(-1);
        assertThat(event.text()).contains("port");
        assertThat(a.context.queryPort(1).active()).isFalse();
      } finally {
        run("ip", "link", "set", "veth0", "up");
      }
      assertThat(awaitEvent(a.context, AsyncEvent.Type.PORT_ACTIVE).port()).isEqualTo(1);
      Side.until("the address is back", () -> a.context.queryGid(1, Side.GID_INDEX).equals(gid));
    } finally {
      // They were forgotten with the link.
      for (int i = 0; i < 2; i++) {
        String peer = Files.readString(Path.of("/sys/class/net/veth" + (1 - i) + "/address"));
        String address = "10.77.0." + (2 - i);
        run("ip", "neigh", "replace", address, "lladdr", peer.strip(), "dev", "veth" + i);
      }
    }
  }

  private static AsyncEvent awaitEvent(VerbsContext context, AsyncEvent.Type type) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(EVENT_SECONDS)) {
      AsyncEvent event = context.nextEvent(1000);
      if (event != null && event.type() == type) {
        return event;
      }
    }
    throw new AssertionError("no " + type + " on " + context + " within " + EVENT_SECONDS + " s");
  }

  @Test
  void aQueueThatOverrunsIsTold() {
    try (Side a = new Side("rxe0", 1);
        Side b = new Side("rxe1", 1)) {
      Side.connect(a, b);
      // Never polled; each completion takes a place of at most a few hundred.
      a.send(SendRequests.RDMA_WRITE, SendRequests.SIGNALED, 0, 8, b);
      AsyncEvent event = null;
      for (int i = 0; i < 5000 && event == null; i++) {
        try {
          a.pairs[0].post(a.sends, 0);
        } catch (VerbsException e) {
          assertThat(e.errno()).isEqualTo(Errno.ENOMEM); // not done yet, the queue is full
        }
        event = a.context.nextEvent(0);
      }
      if (event == null) {
        event = awaitEvent(a.context, AsyncEvent.Type.CQ_ERR);
      }
      assertThat(event.type()).isEqualTo(AsyncEvent.Type.CQ_ERR);
      assertThat(event.queue()).isEqualTo(a.queue.address());
      assertThat(event.type().fatal()).isTrue();
    }
  }

  @Test
  void theDataPathAllocatesNothing() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Side a = new Side("rxe0", 1);
        Side b = new Side("rxe1", 1)) {
      Side.connect(a, b);
      int sum = rounds(a, b, 3000);
      long before = threads.getCurrentThreadAllocatedBytes();
      long empty = threads.getCurrentThreadAllocatedBytes() - before;
      before = threads.getCurrentThreadAllocatedBytes();
      sum += rounds(a, b, 1000);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before - empty;
      assertThat(sum).isEqualTo(4000);
      assertThat(allocated).as("bytes in 1000 rounds").isZero();
    }
  }

  private static int rounds(Side a, Side b, int rounds) {
    int good = 0;
    for (int i = 0; i < rounds; i++) {
      b.receives.id(0, i);
      b.pairs[0].post(b.receives, 0);
      a.send(SendRequests.RDMA_WRITE_WITH_IMMEDIATE, SendRequests.SIGNALED, 0, 64, b);
      a.sends.immediate(0, i);
      a.pairs[0].post(a.sends, 0);
      a.await();
      b.await();
      boolean fine = a.done.status(0) == 0 && b.done.immediate(0) == i && b.done.bytes(0) == 64;
      good += fine && b.done.id(0) == i && b.done.queuePair(0) != 0 ? 1 : 0;
    }
    return good;
  }
}
