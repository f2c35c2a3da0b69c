// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.transport.net.NetTransport;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v12.Net;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Ranks that have met, in one process, and the connections of each. */
public final class ConnectorGroup implements AutoCloseable {
  /** Limits that are longer than any test: none of them ends a wait that something else should. */
  public static final Settings SETTINGS =
      Settings.of(
          Map.of(
              "NCCL_SOCKET_IFNAME", "lo",
              "NITINOL_BOOTSTRAP_TIMEOUT", "600",
              "NITINOL_TIMEOUT", "600"));

  /** As {@link #SETTINGS}, for ranks of one process that connect by the network all the same. */
  public static final Settings NETWORK_ONLY =
      Settings.of(
          Map.of(
              "NCCL_SOCKET_IFNAME", "lo",
              "NITINOL_BOOTSTRAP_TIMEOUT", "600",
              "NITINOL_TIMEOUT", "600",
              "NCCL_P2P_DISABLE", "1",
              "NCCL_SHM_DISABLE", "1"));

  static final int CHANNELS = 3;
  static final SlotBytes SLOTS = new SlotBytes(1024, 256, 256);

  final RecordedLog log = new RecordedLog();
  final List<Bootstrap> bootstraps = new ArrayList<>();
  final List<CommFailures> failures = new ArrayList<>();
  final List<CommMemory> memories = new ArrayList<>();

  /** Who the ranks say they are; by default hosts of their own. */
  final PeerInfo[] peers;

  /** The transports that are better than the network. */
  final List<Transport> better = new ArrayList<>();

  @Nullable HostTeam team;

  /** By rank; null until it is opened. */
  private final @Nullable LazyConnectors[] links;

  ConnectorGroup(int n) throws Exception {
    UniqueId id = UniqueId.create(SETTINGS, log);
    List<CompletableFuture<Bootstrap>> joining = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      int rank = r;
      joining.add(inThread(() -> Bootstrap.connect(id, rank, n, SETTINGS, log)));
    }
    for (int r = 0; r < n; r++) {
      Bootstrap bootstrap = joining.get(r).get(240, TimeUnit.SECONDS);
      CommFailures record = new CommFailures(r, bootstrap::announceFailure);
      bootstrap.onFailure(record::notice);
      bootstraps.add(bootstrap);
      failures.add(record);
      memories.add(new CommMemory(r, log));
    }
    links = new LazyConnectors[n];
    peers = new PeerInfo[n];
    Arrays.setAll(peers, r -> new PeerInfo(r, r, r));
  }

  /** What a thread does. */
  public interface Body<T> {
    T run() throws Exception;
  }

  public static <T> CompletableFuture<T> inThread(Body<T> body) {
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

  /** Opens the connections of a rank over a network that never waits. */
  LazyConnectors open(int rank, Net net, int seconds) {
    return open(rank, net, false, seconds);
  }

  LazyConnectors open(int rank, Net net, boolean mayWait, int seconds) {
    List<Transport> transports = new ArrayList<>(better);
    transports.add(
        new NetTransport(
            net, MemoryNet.context(net), memories.get(rank).arena(), mayWait, List.of()));
    LazyConnectors connections =
        new LazyConnectors(
            bootstraps.get(rank),
            peers,
            transports,
            CHANNELS,
            SLOTS,
            team,
            failures.get(rank),
            memories.get(rank),
            log,
            seconds);
    links[rank] = connections;
    return connections;
  }

  /** Waits for the connection of {@code rank} to {@code peer}. */
  SendConnector sender(int rank, int peer) {
    LazyConnectors connections = links(rank);
    await(rank, () -> connections.sender(peer, 0, Use.COLLECTIVE) != null);
    return notNull(connections.sender(peer, 0, Use.COLLECTIVE));
  }

  /** Waits for the connection to {@code rank} from {@code peer}. */
  ReceiveConnector receiver(int rank, int peer) {
    LazyConnectors connections = links(rank);
    await(rank, () -> connections.receiver(peer, 0, Use.COLLECTIVE) != null);
    return notNull(connections.receiver(peer, 0, Use.COLLECTIVE));
  }

  /** Waits until {@code rank} fails. */
  CommException failure(int rank) {
    await(-1, () -> failures.get(rank).get() != null);
    return notNull(failures.get(rank).get());
  }

  /** Waits for a condition, or until {@code rank} fails. */
  void await(int rank, BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (rank >= 0) {
        failures.get(rank).check();
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("not within the test's time");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private LazyConnectors links(int rank) {
    return notNull(links[rank]);
  }

  static <T> T notNull(@Nullable T value) {
    if (value == null) {
      throw new AssertionError("nothing there");
    }
    return value;
  }

  /** Closes the connections of a rank; returns what went wrong. */
  List<Throwable> closeLinks(int rank) {
    List<Throwable> errors = new ArrayList<>();
    links(rank).close(errors);
    links[rank] = null;
    return errors;
  }

  /** Returns what {@code future} fails with. */
  public static CommException failureOf(CompletableFuture<?> future) throws Exception {
    try {
      future.get(240, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommException failure) {
        return failure;
      }
      throw e;
    }
    throw new AssertionError("it did not fail");
  }

  /** Closes everything that is still open, which must succeed. */
  @Override
  public void close() {
    List<Throwable> errors = new ArrayList<>();
    for (LazyConnectors each : links) {
      if (each != null) {
        each.close(errors);
      }
    }
    bootstraps.forEach(Bootstrap::close);
    if (!errors.isEmpty()) {
      AssertionError failure = new AssertionError("connections did not close");
      errors.forEach(failure::addSuppressed);
      throw failure;
    }
  }
}
