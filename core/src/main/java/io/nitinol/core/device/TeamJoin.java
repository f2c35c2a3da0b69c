// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.device.bridge.BridgedTeam;
import io.nitinol.core.device.bridge.TeamPlaces;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.core.setup.SplitAndShrink;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the team of a communicator's ranks: one of the provider where all of them reach each
 * other's memory, and else several with a bridge between them.
 */
@OneThread
final class TeamJoin {
  private final AssembledComm comm;
  private final Settings settings;
  private final DebugLogger logger;
  private final DeviceProvider provider;
  private final Device device;

  TeamJoin(
      AssembledComm comm,
      Settings settings,
      DebugLogger logger,
      DeviceProvider provider,
      Device device) {
    this.comm = comm;
    this.settings = settings;
    this.logger = logger;
    this.provider = provider;
    this.device = device;
  }

  /**
   * What the ranks have become.
   *
   * @param team this rank's end
   * @param below connects the ranks of this one's team, where there are several; null where that is
   *     the communicator itself, or the rank is alone. To be closed after the team
   * @param partition who uses whose memory
   * @param number the same for all ranks, and no other group's of this process
   */
  record Joined(
      DeviceTeam team, @Nullable AssembledComm below, TeamPartition partition, long number) {}

  /**
   * Meets the other ranks.
   *
   * @throws CommException where a rank fails or the devices cannot be used together, on all ranks
   */
  Joined join() {
    try {
      return meet();
    } catch (CommException e) {
      throw e; // the others hear of it by the exchanges
    } catch (RuntimeException | Error e) {
      // A mistake of the provider; the others wait for this rank.
      CommException failure =
          new CommException(
              ResultCode.INTERNAL_ERROR,
              comm.rank(),
              ErrorText.of("rank %d failed while its device joined the others: %s", comm.rank(), e),
              e);
      comm.engine().failures().fail(failure);
      throw failure;
    }
  }

  private Joined meet() {
    byte[][] blocks = comm.exchange(Tags.DEVICE, DevicePlacement.of(provider, device).toBytes());
    List<DevicePlacement> all = new ArrayList<>();
    for (int r = 0; r < blocks.length; r++) {
      all.add(DevicePlacement.fromBytes(r, blocks[r]));
    }
    DevicePlacement.requireAgreement(all);
    long number = all.getFirst().number();
    if (comm.rank() == 0) {
      DeviceTopology.tell(comm.peers(), all, provider, settings, logger);
    }
    TeamPartition wanted =
        TeamPartition.of(comm.peers(), all, settings.get(CoreVariables.P2P_DISABLE));
    Joined joined = join(wanted, number);
    if (joined == null) {
      joined = join(TeamPartition.alone(comm.size()), number);
    }
    if (joined == null) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of("the devices of %s form no team, not even of one rank", provider.name()));
    }
    return joined;
  }

  /**
   * Joins the teams of a partition.
   *
   * @return null where some of them do not come about since their devices cannot form them, on all
   *     ranks
   */
  private @Nullable Joined join(TeamPartition partition, long number) {
    AssembledComm below = partition.isAlone() ? null : within(partition);
    DeviceTeam team = null;
    boolean complete = false;
    try {
      NetException failure = null;
      try {
        team = joinLocal(partition, below);
      } catch (NetException e) {
        failure = e;
      }
      // A provider should fail on all ranks or none; one that does not must not leave ranks behind.
      JoinOutcome worst =
          JoinOutcome.worst(comm.exchange(Tags.DEVICE, JoinOutcome.of(failure).toBytes()));
      if (worst.failure() == DeviceFailure.UNSUPPORTED && !partition.isAlone()) {
        logger.info(
            LogSubsystem.INIT,
            "DeviceCommunicator",
            ErrorText.of(
                "rank %d: the devices form no team, so data goes through host memory: %s",
                comm.rank(), worst.message()));
        return null;
      }
      if (worst.failure() != null || team == null) {
        throw worst.toException(provider.name(), failure);
      }
      team = partition.teams() == 1 ? team : bridge(partition, team);
      complete = true;
      return new Joined(team, partition.teams() == 1 ? null : below, partition, number);
    } finally {
      if (!complete && team != null) {
        team.close();
      }
      if (below != null && !below.equals(comm) && !complete) {
        below.close();
      }
    }
  }

  /** Returns what connects the ranks of this one's team; null where it is alone. */
  private @Nullable AssembledComm within(TeamPartition partition) {
    if (partition.teams() == 1) {
      return comm;
    }
    int team = partition.teamOf(comm.rank());
    boolean alone = partition.members().get(team).size() == 1;
    return comm.splitAndShrink().split(alone ? SplitAndShrink.NO_COLOR : team, comm.rank());
  }

  private DeviceTeam joinLocal(TeamPartition partition, @Nullable AssembledComm below) {
    List<Integer> members = partition.members().get(partition.teamOf(comm.rank()));
    TeamExchange exchange =
        below == null ? mine -> new byte[][] {mine.clone()} : mine -> exchange(below, mine);
    return device.joinTeam(
        new DeviceTeamConfig(
            partition.indexOf(comm.rank()),
            processes(members.stream().map(comm.peers()::get).toList()),
            DeviceTeamConfig.DEFAULT_BLOCKS,
            exchange));
  }

  /** Joins the teams over the network. */
  private DeviceTeam bridge(TeamPartition partition, DeviceTeam local) {
    List<Integer> teams = new ArrayList<>();
    List<Integer> indices = new ArrayList<>();
    for (int r = 0; r < comm.size(); r++) {
      teams.add(partition.teamOf(r));
      indices.add(partition.indexOf(r));
    }
    try {
      return BridgedTeam.join(
          comm,
          "nitinol-device-" + comm.rank(),
          logger,
          device,
          local,
          new TeamPlaces(comm.rank(), teams, indices));
    } catch (DeviceException e) {
      throw new CommException(e.result(), -1, "join: " + e.getMessage(), e);
    }
  }

  /** Numbers the processes in the order of their first ranks. */
  private static List<Integer> processes(List<PeerInfo> peers) {
    List<Long> known = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (PeerInfo peer : peers) {
      int number = known.indexOf(peer.pid());
      if (number < 0) {
        number = known.size();
        known.add(peer.pid());
      }
      numbers.add(number);
    }
    return numbers;
  }

  /** Exchanges bytes for a provider, which knows {@link NetException} only. */
  private static byte[][] exchange(AssembledComm comm, byte[] mine) {
    if (mine.length > TeamExchange.MAX_SIZE) {
      throw new DeviceException(
          DeviceFailure.INVALID_ARGUMENT,
          ErrorText.of(
              "an exchange of %d bytes; expected at most %d", mine.length, TeamExchange.MAX_SIZE));
    }
    byte[][] all;
    try {
      all = comm.exchange(Tags.DEVICE, mine);
    } catch (CommException e) {
      throw new NetException(e.result(), String.valueOf(e.getMessage()), e);
    }
    for (int r = 0; r < all.length; r++) {
      if (all[r].length != mine.length) {
        CommException uneven =
            new CommException(
                ResultCode.INTERNAL_ERROR,
                r,
                ErrorText.of(
                    "rank %d sends %d bytes where rank %d sends %d; expected as many",
                    r, all[r].length, comm.rank(), mine.length),
                null);
        throw new NetException(uneven.result(), String.valueOf(uneven.getMessage()), uneven);
      }
    }
    return all;
  }
}
