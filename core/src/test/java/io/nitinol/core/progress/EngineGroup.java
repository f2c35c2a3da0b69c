// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.schedule.ring.RingAllReduce;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.transport.net.NetTransport;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Engines of all ranks of a ring in one process, joined by a {@link MemoryNet}. */
final class EngineGroup implements AutoCloseable {
  final MemoryNet net;
  final List<Engine> engines = new ArrayList<>();
  final List<Failures> failures = new ArrayList<>();
  private final Arena arena = Arena.ofShared();

  EngineGroup(int n, int channels, ChunkShape shape, int kernelThreads, String idle, long seed) {
    this(n, channels, shape, kernelThreads, idle, seed, 0);
  }

  EngineGroup(
      int n,
      int channels,
      ChunkShape shape,
      int kernelThreads,
      String idle,
      long seed,
      long stallNanos) {
    net = new MemoryNet(seed);
    NetTransport transport = new NetTransport(net, arena);
    int[] order = new int[n];
    Arrays.setAll(order, i -> i);
    List<List<Channel>> byRank = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      byRank.add(new ArrayList<>());
      failures.add(new Failures(r, this::announce));
    }
    for (int c = 0; c < channels; c++) {
      SendConnector[] sends = new SendConnector[n];
      ReceiveConnector[] receives = new ReceiveConnector[n];
      for (int r = 0; n > 1 && r < n; r++) {
        int next = (r + 1) % n;
        Transport.PendingReceive in = transport.receive(c, r, shape.slotBytes());
        Transport.PendingSend out = transport.send(c, next, shape.slotBytes(), in.handle());
        while (sends[r] == null) {
          sends[r] = out.poll();
        }
        while (receives[next] == null) {
          receives[next] = in.poll();
        }
        in.close();
      }
      for (int r = 0; r < n; r++) {
        byRank
            .get(r)
            .add(
                new Channel(new RingAllReduce(Ring.of(order, r), shape, c), receives[r], sends[r]));
      }
    }
    for (int r = 0; r < n; r++) {
      engines.add(
          new Engine(
              "test" + r,
              byRank.get(r),
              failures.get(r),
              IdleStrategy.of(idle, true),
              kernelThreads,
              stallNanos));
    }
    engines.forEach(Engine::start);
  }

  private void announce(int rank, String reason) {
    failures.forEach(f -> f.notice(rank, reason));
  }

  @Override
  public void close() {
    for (Engine engine : engines) {
      engine.drain(1_000_000_000L);
    }
    boolean quiet = true;
    for (Engine engine : engines) {
      quiet &= engine.close().isNone();
    }
    if (!quiet) {
      throw new AssertionError("an engine is still in use");
    }
    arena.close();
  }
}
