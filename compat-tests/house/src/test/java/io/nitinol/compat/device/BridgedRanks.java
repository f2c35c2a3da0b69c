// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.device.bridge.BridgedTeam;
import io.nitinol.core.device.bridge.TeamPlaces;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.core.setup.CommSetup;
import io.nitinol.core.setup.SetupConfig;
import io.nitinol.samples.cpu.CpuDeviceProvider;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Ranks in threads of this process whose devices reach each other only within a team, each team on
 * a host of its own as the communicators see it.
 */
final class BridgedRanks implements AutoCloseable {
  /** What one rank does. */
  interface Body<T> {
    T run(Rank rank) throws Exception;
  }

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  /** One rank, with a stream of its own. */
  final class Rank {
    final int number;
    final AssembledComm comm;
    final Device device;
    final DeviceTeam local;
    final BridgedTeam team;
    final DeviceStream stream;
    private final List<DeviceMemory> held = new ArrayList<>();
    private @Nullable MemorySegment gate;

    private Rank(
        int number, AssembledComm comm, Device device, DeviceTeam local, BridgedTeam team) {
      this.number = number;
      this.comm = comm;
      this.device = device;
      this.local = local;
      this.team = team;
      this.stream = device.createStream(false);
    }

    int ranks() {
      return teams.length();
    }

    /** Allocates device memory, which lives as long as the ranks. */
    MemorySegment allocate(long size) {
      DeviceMemory memory = device.allocate(Math.max(1, size));
      held.add(memory);
      return Objects.requireNonNull(memory.segment());
    }

    /** Lets the stream wait for {@link #open}, or for the end of the test. */
    void holdStream() {
      DeviceMemory memory = device.allocateHost(8);
      held.add(memory);
      MemorySegment number = Objects.requireNonNull(memory.segment());
      number.fill((byte) 0);
      gate = number;
      stream.waitValue(memory.address(), 1);
    }

    /** Lets the stream go on, if it is held. */
    void open() {
      if (gate != null) {
        WORD.setRelease(gate, 0L, 1L);
      }
    }

    /** Waits for the stream, which has to come free. */
    void finish() {
      assertThat(stream.synchronize(PATIENCE_NANOS)).as("stream of rank " + number).isTrue();
    }
  }

  private final String teams;
  private final IntFunction<@Nullable Net> nets;
  private final ExecutorService threads;
  private final Map<Character, CyclicBarrier> barriers = new HashMap<>();
  private final byte[][] told;
  private final List<Rank> ranks;

  /**
   * Joins the ranks.
   *
   * @param teams by rank, a letter for its team; {@code A} is the first
   * @param variables for all ranks
   */
  BridgedRanks(String teams, Map<String, String> variables) throws Exception {
    this(teams, variables, device -> device);
  }

  /** The same, with devices that the bridge sees otherwise. */
  BridgedRanks(String teams, Map<String, String> variables, UnaryOperator<Device> view)
      throws Exception {
    this(teams, variables, view, rank -> null);
  }

  /** The same, with the network plugin of each rank; null for the one that the variables name. */
  BridgedRanks(
      String teams,
      Map<String, String> variables,
      UnaryOperator<Device> view,
      IntFunction<@Nullable Net> nets)
      throws Exception {
    this.teams = teams;
    this.nets = nets;
    int n = teams.length();
    threads = Executors.newFixedThreadPool(n);
    told = new byte[n][];
    for (char team : teams.toCharArray()) {
      barriers.computeIfAbsent(team, t -> new CyclicBarrier(places(0).teamSize(t - 'A')));
    }
    boolean complete = false;
    try (UniqueId id = UniqueId.create(config(0, variables).settings(), new RecordedLog())) {
      ranks = everywhere(r -> join(id, r, variables, view));
      complete = true;
    } finally {
      if (!complete) {
        threads.shutdownNow();
      }
    }
  }

  private Rank join(
      UniqueId id, int rank, Map<String, String> variables, UnaryOperator<Device> view) {
    AssembledComm comm = CommSetup.init(id, teams.length(), rank, config(rank, variables));
    TeamPlaces places = places(rank);
    List<Device> devices = new CpuDeviceProvider().devices();
    Device device = devices.get(rank % devices.size());
    DeviceTeamConfig config =
        new DeviceTeamConfig(
            places.index(),
            Collections.nCopies(places.teamSize(places.team()), 0),
            DeviceTeamConfig.DEFAULT_BLOCKS,
            exchange(places));
    DeviceTeam local = device.joinTeam(config);
    boolean complete = false;
    try {
      String label = "test-" + rank;
      BridgedTeam team =
          BridgedTeam.join(comm, label, new RecordedLog(), view.apply(device), local, places);
      complete = true;
      return new Rank(rank, comm, device, local, team);
    } finally {
      if (!complete) {
        local.close();
        comm.close();
      }
    }
  }

  private TeamPlaces places(int rank) {
    List<Integer> numbers = new ArrayList<>();
    List<Integer> indices = new ArrayList<>();
    for (int r = 0; r < teams.length(); r++) {
      int team = teams.charAt(r) - 'A';
      indices.add(Collections.frequency(numbers, team));
      numbers.add(team);
    }
    return new TeamPlaces(rank, numbers, indices);
  }

  private TeamExchange exchange(TeamPlaces places) {
    CyclicBarrier barrier = barriers.get(teams.charAt(places.rank()));
    return mine -> {
      try {
        told[places.rank()] = mine.clone();
        barrier.await(1, TimeUnit.MINUTES);
        List<byte[]> all = new ArrayList<>();
        for (int r = 0; r < teams.length(); r++) {
          if (places.teams().get(r) == places.team()) {
            all.add(told[r]);
          }
        }
        barrier.await(1, TimeUnit.MINUTES);
        return all.toArray(byte[][]::new);
      } catch (Exception e) {
        throw new IllegalStateException("the ranks of the team did not meet", e);
      }
    };
  }

  private SetupConfig config(int rank, Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(variables);
    all.putIfAbsent("NCCL_SOCKET_IFNAME", "lo");
    all.putIfAbsent("NCCL_NET", "Socket");
    all.putIfAbsent("NITINOL_RAIL_CONNECTIONS", "1"); // whatever processors there are
    all.putIfAbsent("NCCL_HOSTID", "host of team " + teams.charAt(rank));
    return new SetupConfig(
        Settings.of(all),
        new RecordedLog(),
        null,
        nets.apply(rank),
        null,
        null,
        "bridged",
        NetCommConfig.DEFAULT,
        0,
        0,
        null);
  }

  Rank get(int rank) {
    return ranks.get(rank);
  }

  /** Does something on all ranks at once, each in a thread; the results by rank. */
  <T> List<T> run(Body<T> body) throws Exception {
    return everywhere(r -> body.run(ranks.get(r)));
  }

  private interface Step<T> {
    T run(int rank) throws Exception;
  }

  private <T> List<T> everywhere(Step<T> step) throws Exception {
    List<Future<T>> futures = new ArrayList<>();
    for (int r = 0; r < teams.length(); r++) {
      int rank = r;
      futures.add(threads.submit((Callable<T>) () -> step.run(rank)));
    }
    List<T> results = new ArrayList<>();
    Exception failure = null;
    for (Future<T> each : futures) {
      try {
        results.add(each.get(2 * PATIENCE_NANOS, TimeUnit.NANOSECONDS));
      } catch (ExecutionException e) {
        Exception cause = e.getCause() instanceof Exception known ? known : e;
        if (failure == null) {
          failure = cause;
        } else if (failure != cause) {
          failure.addSuppressed(cause);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  /**
   * Closes all ranks, whose streams have to come free; those that a test has closed stay so. A
   * stream that does not is reported after the rest has been closed: other tests of this process
   * look for what is left.
   */
  @Override
  public void close() throws Exception {
    try {
      run(rank -> {
        rank.open();
        rank.finish(); // on all ranks before one leaves
        return true;
      });
    } finally {
      try {
        run(rank -> {
          rank.team.close();
          rank.comm.close();
          rank.stream.close();
          rank.held.forEach(DeviceMemory::close);
          return true;
        });
      } finally {
        threads.shutdown();
      }
    }
  }
}
