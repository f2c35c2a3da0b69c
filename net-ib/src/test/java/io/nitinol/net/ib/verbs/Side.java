// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One end of connections: a device with a domain, a completion queue, memory and queue pairs. */
final class Side implements AutoCloseable {
  static final int BYTES = 1 << 20;
  static final int PORT = 1;
  static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ;

  /** In the guest: the IPv4 address, by RoCE v2. */
  static final int GID_INDEX = 1;

  private static final int REQUESTS = 16;
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(20);

  final Arena arena = Arena.ofShared();
  final VerbsContext context;
  final ProtectionDomain domain;
  final CompletionChannel channel;
  final CompletionQueue queue;
  final MemorySegment memory;
  final IbMemoryRegion region;
  final QueuePair[] pairs;
  final SendRequests sends = new SendRequests(arena, REQUESTS);
  final ReceiveRequests receives = new ReceiveRequests(arena, REQUESTS);
  final WorkCompletions done = new WorkCompletions(arena, 1);

  Side(String device, int pairs) {
    this.context = open(device);
    this.domain = context.allocateDomain();
    this.channel = context.createChannel();
    this.queue = context.createQueue(2 * REQUESTS * pairs, channel);
    this.memory = arena.allocate(BYTES, 4096);
    this.region =
        Verbs.hasRelaxedOrdering()
            ? domain.registerIova2(
                memory.address(), BYTES, memory.address(), ALL | Access.RELAXED_ORDERING)
            : domain.register(memory.address(), BYTES, ALL);
    this.pairs = new QueuePair[pairs];
    for (int i = 0; i < pairs; i++) {
      this.pairs[i] = domain.createQueuePair(QueuePairSpec.of(queue, REQUESTS, REQUESTS, 64));
      this.pairs[i].toInit(PORT, 0, Access.REMOTE_WRITE | Access.REMOTE_READ);
    }
  }

  private static VerbsContext open(String name) {
    try (DeviceList list = DeviceList.read()) {
      for (VerbsDevice device : list.devices()) {
        if (device.name().equals(name)) {
          return device.open();
        }
      }
      throw new AssertionError("no device " + name + " among " + list.devices());
    }
  }

  /** Connects pair by pair, both directions. */
  static void connect(Side a, Side b) {
    for (int i = 0; i < a.pairs.length; i++) {
      a.connect(i, b.pairs[i].number(), b, 14, 7);
      b.connect(i, a.pairs[i].number(), a, 14, 7);
    }
  }

  void connect(int pair, int peerNumber, Side peer, int timeout, int retries) {
    int mtu =
        Math.min(context.queryPort(PORT).activeMtu(), peer.context.queryPort(PORT).activeMtu());
    Gid gid = peer.context.queryGid(PORT, GID_INDEX);
    AddressVector route =
        new AddressVector(PORT, 0, 0, new AddressVector.Global(gid, GID_INDEX, 0, 255, 0));
    pairs[pair].toRtr(route, peerNumber, mtu, 0, 1, 12);
    pairs[pair].toRts(0, timeout, retries, 7, 1);
  }

  /** Writes request 0; the remote memory is at the same offset. */
  SendRequests send(int opcode, int flags, long offset, int bytes, Side peer) {
    sends.id(0, 1000 + offset);
    sends.opcode(0, opcode);
    sends.flags(0, flags);
    sends.next(0, -1);
    sends.local(0, memory.address() + offset, bytes, region.localKey());
    sends.remote(0, peer.memory.address() + offset, peer.region.remoteKey());
    return sends;
  }

  /** Waits for a completion, which is at index 0 of {@link #done} then. */
  WorkCompletions await() {
    long start = System.nanoTime();
    while (queue.poll(done) == 0) {
      if (System.nanoTime() - start > LONGEST_WAIT) {
        throw new AssertionError("no completion on " + context + " within 20 s");
      }
      Thread.onSpinWait();
    }
    return done;
  }

  /** Waits for a completion that went well. */
  WorkCompletions awaitSuccess() {
    await();
    assertThat(Verbs.statusName(done.status(0))).isEqualTo("SUCCESS");
    return done;
  }

  /** Waits for something outside of this process. */
  static void until(String what, java.util.function.BooleanSupplier happened) {
    long start = System.nanoTime();
    while (!happened.getAsBoolean()) {
      if (System.nanoTime() - start > LONGEST_WAIT) {
        throw new AssertionError("not within 20 s: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() {
    for (QueuePair pair : pairs) {
      pair.close();
    }
    region.close();
    queue.close();
    channel.close();
    domain.close();
    context.close();
    arena.close();
  }
}
