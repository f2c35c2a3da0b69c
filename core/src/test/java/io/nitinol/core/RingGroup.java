// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.progress.Channel;
import io.nitinol.core.progress.Failures;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.transport.net.NetTransport;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v6.Net;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Ranks that have met and connect their ring, each in a thread of its own. */
final class RingGroup implements AutoCloseable {
  static final Settings SETTINGS =
      Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo", "NITINOL_BOOTSTRAP_TIMEOUT", "50"));
  private static final ChunkShape SHAPE = new ChunkShape(1024, 4, 64, 128, 256);

  final RecordedLog log = new RecordedLog();
  final List<Bootstrap> bootstraps = new ArrayList<>();
  final List<Failures> failures = new ArrayList<>();
  final List<CommMemory> memories = new ArrayList<>();

  RingGroup(int n) throws Exception {
    UniqueId id = UniqueId.create(SETTINGS, log);
    List<CompletableFuture<Bootstrap>> joining = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      int rank = r;
      joining.add(inThread(() -> Bootstrap.connect(id, rank, n, SETTINGS, log)));
    }
    for (int r = 0; r < n; r++) {
      bootstraps.add(joining.get(r).get(30, TimeUnit.SECONDS));
      failures.add(new Failures(r, (rank, reason) -> {}));
      memories.add(new CommMemory(r, log));
    }
  }

  interface Body<T> {
    T run();
  }

  static <T> CompletableFuture<T> inThread(Body<T> body) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            future.complete(body.run());
          } catch (Throwable e) {
            future.completeExceptionally(e);
          }
        });
    return future;
  }

  CompletableFuture<List<Channel>> connect(int rank, Net net, boolean mayWait, int seconds) {
    int[] order = new int[bootstraps.size()];
    Arrays.setAll(order, i -> i);
    CommMemory memory = memories.get(rank);
    return inThread(() ->
        RingConnect.connect(
            bootstraps.get(rank),
            failures.get(rank),
            new NetTransport(net, memory.arena(), mayWait),
            Ring.of(order, rank),
            SHAPE,
            2,
            memory,
            log,
            seconds));
  }

  /** Returns what {@code future} fails with. */
  static CommException failureOf(CompletableFuture<?> future) throws Exception {
    try {
      future.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommException failure) {
        return failure;
      }
      throw e;
    }
    throw new AssertionError("it did not fail");
  }

  static void close(List<Channel> channels) {
    List<Throwable> errors = new ArrayList<>();
    channels.forEach(channel -> channel.close(errors));
    if (!errors.isEmpty()) {
      throw new AssertionError(errors.toString());
    }
  }

  @Override
  public void close() {
    bootstraps.forEach(Bootstrap::close);
  }
}
