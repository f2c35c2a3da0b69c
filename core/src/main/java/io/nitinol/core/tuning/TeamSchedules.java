// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.team.DirectAllGather;
import io.nitinol.core.schedule.team.DirectAllReduce;
import io.nitinol.core.schedule.team.DirectBroadcast;
import io.nitinol.core.schedule.team.DirectReduce;
import io.nitinol.core.schedule.team.DirectReduceScatter;
import io.nitinol.core.schedule.team.OneShotAllReduce;
import io.nitinol.core.schedule.team.OneShotReduce;
import io.nitinol.core.schedule.team.SlicedAllReduce;
import io.nitinol.core.schedule.team.SlicedReduce;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.core.schedule.team.TeamAllGather;
import io.nitinol.core.schedule.team.TeamBroadcast;
import io.nitinol.core.schedule.team.TeamReduceScatter;
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
        case ALL_REDUCE -> new OneShotAllReduce(team, area, channel);
        case REDUCE -> new OneShotReduce(team, area, channel);
        default -> moving(collective, team, area, channel);
      };
    }
    if (team.direct()) {
      return switch (collective) {
        case ALL_REDUCE -> new DirectAllReduce(team, channel);
        case REDUCE -> new DirectReduce(team, channel);
        case ALL_GATHER -> new DirectAllGather(team, channel);
        case REDUCE_SCATTER -> new DirectReduceScatter(team, channel);
        case BROADCAST -> new DirectBroadcast(team, channel);
        case SEND_RECV, SEND, RECV, ALL_TO_ALL, GATHER, SCATTER -> throw unscheduled(collective);
      };
    }
    return switch (collective) {
      case ALL_REDUCE -> new SlicedAllReduce(team, channel);
      case REDUCE -> new SlicedReduce(team, channel);
      default -> moving(collective, team, team.simple(), channel);
    };
  }

  /** Those that move no byte more than once anyhow, so that both protocols do the same. */
  private static Schedule moving(
      Collective collective, TeamShape team, SlotShape area, int channel) {
    return switch (collective) {
      case ALL_GATHER -> new TeamAllGather(team, area, channel);
      case REDUCE_SCATTER -> new TeamReduceScatter(team, area, channel);
      case BROADCAST -> new TeamBroadcast(team, area, channel);
      case ALL_REDUCE, REDUCE, SEND_RECV, SEND, RECV, ALL_TO_ALL, GATHER, SCATTER ->
          throw unscheduled(collective);
    };
  }

  private static IllegalArgumentException unscheduled(Collective collective) {
    return new IllegalArgumentException("no team does " + collective.label());
  }
}
