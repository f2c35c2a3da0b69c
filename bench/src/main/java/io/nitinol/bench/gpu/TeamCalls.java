// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The provider's fused collectives alone, without a communicator of core. */
final class TeamCalls implements GpuCalls {
  private final GpuRankOptions options;
  private final List<GpuRank> own;
  private final int ranks;
  private final LocalMeeting meeting;

  /** By which the ranks of several processes exchange; null for one process. */
  private final @Nullable Communicator communicator;

  private final List<DeviceTeam> teams;
  private final DeviceReduction sum;
  private final List<TeamWindow> windows = new ArrayList<>();

  TeamCalls(GpuRankOptions options, List<GpuRank> own) {
    this.options = options;
    this.own = own;
    this.ranks = options.devices().size();
    this.meeting = new LocalMeeting(own.size());
    boolean alone = options.processes() == 1;
    Communicator outside =
        alone
            ? null
            : Communicator.init(UniqueId.parse(options.id()), ranks, own.getFirst().number());
    this.communicator = outside;
    List<Integer> processes =
        alone ? Collections.nCopies(ranks, 0) : IntStream.range(0, ranks).boxed().toList();
    this.teams =
        meeting.everywhere(i -> {
          GpuRank rank = own.get(i);
          TeamExchange exchange = outside == null ? meeting.exchange(i) : outside::exchange;
          return rank.device()
              .joinTeam(new DeviceTeamConfig(rank.number(), processes, options.blocks(), exchange));
        });
    this.sum = DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, ranks);
    for (DeviceTeam team : teams) {
      if (!team.supports(Collective.ALL_REDUCE, sum)) {
        throw new IllegalStateException(team.device().name() + " adds no floats");
      }
    }
    if (options.windows()) {
      windows.addAll(
          meeting.everywhere(i -> teams.get(i).openWindow(own.get(i).in().address(), size(i))));
      windows.addAll(
          meeting.everywhere(i -> teams.get(i).openWindow(own.get(i).out().address(), size(i))));
    }
  }

  private long size(int index) {
    return own.get(index).in().size();
  }

  @Override
  public String describe() {
    return "%s, its team alone, at most %d blocks, %s"
        .formatted(
            own.getFirst().device().name(),
            teams.getFirst().blocks(),
            options.windows() ? "buffers in windows" : "no windows");
  }

  @Override
  public Runnable prepare(GpuOperation operation, long count) {
    List<Runnable> each = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      each.add(prepare(operation, count, teams.get(i), own.get(i)));
    }
    Runnable[] calls = each.toArray(Runnable[]::new);
    return () -> {
      for (Runnable call : calls) {
        call.run();
      }
    };
  }

  private Runnable prepare(GpuOperation operation, long count, DeviceTeam team, GpuRank rank) {
    DeviceStream stream = rank.stream();
    long in = rank.in().address();
    long out = rank.out().address();
    long size = count * Float.BYTES;
    int next = (rank.number() + 1) % ranks;
    int previous = (rank.number() + ranks - 1) % ranks;
    List<TeamTransfer> transfers =
        List.of(
            new TeamTransfer(TeamTransfer.Direction.SEND, next, in, size),
            new TeamTransfer(TeamTransfer.Direction.RECEIVE, previous, out, size));
    return switch (operation) {
      case ALL_REDUCE -> () -> team.allReduce(stream, sum, in, out, count);
      case ALL_GATHER -> () -> team.allGather(stream, in, out, size);
      case REDUCE_SCATTER -> () -> team.reduceScatter(stream, sum, in, out, count);
      case BROADCAST -> () -> team.broadcast(stream, in, out, size, 0);
      case REDUCE -> () -> team.reduce(stream, sum, in, out, count, 0);
      case ALL_TO_ALL -> () -> team.allToAll(stream, in, out, size);
      case SEND_RECV -> () -> team.transfer(stream, transfers);
    };
  }

  @Override
  public void settle(GpuRank rank) {
    rank.finish("operations of a team");
    DeviceException failure = teams.get(own.indexOf(rank)).failure();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() {
    for (int w = 0; w < windows.size(); w += own.size()) {
      int first = w;
      meeting.everywhere(i -> {
        windows.get(first + i).close();
        return true;
      });
    }
    teams.forEach(DeviceTeam::close);
    meeting.close();
    if (communicator != null) {
      communicator.close();
    }
  }
}
