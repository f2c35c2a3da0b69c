// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.team.DirectSchedule;
import io.nitinol.core.schedule.team.Slices;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.core.schedule.team.StagedSchedule;
import io.nitinol.core.schedule.team.TeamShape;
import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Protocol;

/** The schedules of {@link io.nitinol.spi.tuner.Algorithm#DIRECT}: all ranks are one team. */
final class TeamSchedules {

  private TeamSchedules() {}

  static Schedule of(Collective collective, Protocol protocol, TeamShape team, int channel) {
    if (protocol == Protocol.LL) {
      SlotShape area = team.ll();
      return switch (collective) {
        case ALL_REDUCE -> new StagedSchedule.OneShotAllReduce(team, area, channel);
        case REDUCE -> new StagedSchedule.OneShotReduce(team, area, channel);
        default -> moving(collective, team, area, channel);
      };
    }
    if (team.direct()) {
      return direct(collective, team, channel);
    }
    return switch (collective) {
      case ALL_REDUCE -> new Slices.AllReduce(team, channel);
      case REDUCE -> new Slices.Reduce(team, channel);
      default -> moving(collective, team, team.simple(), channel);
    };
  }

  /** Those that work on the members' own buffers. */
  static Schedule direct(Collective collective, TeamShape team, int channel) {
    return switch (collective) {
      case ALL_REDUCE -> new DirectSchedule.AllReduce(team, channel);
      case REDUCE -> new DirectSchedule.Reduce(team, channel);
      case ALL_GATHER -> new DirectSchedule.AllGather(team, channel);
      case REDUCE_SCATTER -> new DirectSchedule.ReduceScatter(team, channel);
      case BROADCAST -> new DirectSchedule.Broadcast(team, channel);
      case SEND_RECV, SEND, RECV, ALL_TO_ALL, GATHER, SCATTER -> throw unscheduled(collective);
    };
  }

  /** Those that move no byte more than once anyhow, so that both protocols do the same. */
  private static Schedule moving(
      Collective collective, TeamShape team, SlotShape area, int channel) {
    return switch (collective) {
      case ALL_GATHER -> new StagedSchedule.AllGather(team, area, channel);
      case REDUCE_SCATTER -> new StagedSchedule.ReduceScatter(team, area, channel);
      case BROADCAST -> new StagedSchedule.Broadcast(team, area, channel);
      case ALL_REDUCE, REDUCE, SEND_RECV, SEND, RECV, ALL_TO_ALL, GATHER, SCATTER ->
          throw unscheduled(collective);
    };
  }

  private static IllegalArgumentException unscheduled(Collective collective) {
    return new IllegalArgumentException("no team does " + collective.label());
  }
}
