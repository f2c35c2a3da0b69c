// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.tuning.Choice;
import io.nitinol.core.tuning.Planner;
import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of collectives on the channels of one executor: made when a collective is done in some
 * way for the first time, connected once, and used again. Belongs to one thread at a time.
 */
final class CollectiveTasks {
  /** The tasks of one collective done in one way. */
  private static final class PlannedCollective {
    final Collective collective;
    final Choice choice;
    final Task[] tasks;
    final ScheduleTask[] schedules;
    boolean connected;
    boolean networked;

    PlannedCollective(Collective collective, Choice choice, List<ScheduleTask> tasks) {
      this.collective = collective;
      this.choice = choice;
      this.schedules = tasks.toArray(new ScheduleTask[0]);
      this.tasks = tasks.toArray(new Task[0]);
    }
  }

  /** The shared memory of one number and protocol. */
  private record Team(int channel, Protocol protocol, TeamSide side) {}

  private final ChannelShare part;
  private final ActiveConnectors wires;
  private final Planner planner;
  private final Fold fold;
  private final List<PlannedCollective> ways = new ArrayList<>();
  private final List<Team> teams = new ArrayList<>();
  private @Nullable PlannedCollective last;

  /**
   * What the schedules were planned for last. The same again needs no planning, whose divisions are
   * a quarter of what a small operation costs; ways may share schedules, so only the last counts.
   */
  private @Nullable PlannedCollective planned;

  private long plannedCount;
  private int plannedBytes;
  private int plannedRoot;
  private int missing = MissingConnection.NOTHING;
  private int missingMember = Task.NOBODY;

  /** The roots of the operations so far. */
  private int past;

  CollectiveTasks(ChannelShare part, ActiveConnectors wires, Planner planner, Fold fold) {
    this.part = part;
    this.wires = wires;
    this.planner = planner;
    this.fold = fold;
  }

  /**
   * Begins an operation if all its connections are there.
   *
   * @return whether it has begun; if not {@link #missing} tells what is missing
   */
  boolean begin(Operation operation, long number) {
    PlannedCollective way = way(operation.collective(), operation.choice());
    missing = MissingConnection.NOTHING;
    missingMember = Task.NOBODY;
    if (!way.connected) {
      connect(way);
      if (missing != MissingConnection.NOTHING) {
        return false;
      }
      way.connected = true;
    }
    boolean again = isPlanned(way, operation);
    for (ScheduleTask task : way.schedules) {
      if (!again) {
        task.plan(operation);
      }
      if (task.wantsTeam() && task.team() == null) {
        join(task, way.choice.protocol());
      }
    }
    if (missing != MissingConnection.NOTHING) {
      return false;
    }
    long word = operation.headerWord(number, past);
    past = MessageHeader.past(past, operation.root());
    for (ScheduleTask task : way.schedules) {
      task.begin(operation, word);
    }
    return true;
  }

  /**
   * Returns whether the schedules are planned for such an operation, and says that they will be.
   */
  private boolean isPlanned(PlannedCollective way, Operation operation) {
    boolean again =
        equalWays(planned, way)
            && plannedCount == operation.count()
            && plannedBytes == operation.elementBytes()
            && plannedRoot == operation.root();
    planned = way;
    plannedCount = operation.count();
    plannedBytes = operation.elementBytes();
    plannedRoot = operation.root();
    return again;
  }

  @SuppressWarnings("ReferenceEquality") // each way is there once
  private static boolean equalWays(@Nullable PlannedCollective a, PlannedCollective b) {
    return a == b;
  }

  /** Returns the tasks of the operation that was begun last. */
  Task[] tasks() {
    PlannedCollective way = last;
    return way == null ? new Task[0] : way.tasks;
  }

  /** Returns whether the operation that was begun last needs the network. */
  boolean isNetworked() {
    PlannedCollective way = last;
    return way != null && way.networked;
  }

  /** Returns a rank whose connection is missing, or one of {@link MissingConnection}. */
  int missing() {
    return missing;
  }

  /**
   * Returns the rank for which {@link MissingConnection#TEAM} is missing, or {@link Task#NOBODY}.
   */
  int missingMember() {
    return missingMember;
  }

  @SuppressWarnings("ReferenceEquality") // a first look; equal ones are found by the second
  private PlannedCollective way(Collective collective, Choice choice) {
    PlannedCollective way = last;
    if (way != null && way.collective == collective && way.choice == choice) {
      return way;
    }
    for (int i = 0; i < ways.size(); i++) {
      way = ways.get(i);
      if (way.collective == collective && way.choice.equals(choice)) {
        last = way;
        return way;
      }
    }
    way = new PlannedCollective(collective, choice, tasks(collective, choice));
    ways.add(way);
    last = way;
    return way;
  }

  private List<ScheduleTask> tasks(Collective collective, Choice choice) {
    if (choice.channels() > part.channels()) {
      throw new IllegalArgumentException(
          choice + " for a communicator of " + part.channels() + " channels");
    }
    List<ScheduleTask> tasks = new ArrayList<>();
    for (int c = 0; c < choice.channels(); c++) {
      if (part.has(c)) {
        Schedule[] schedules = planner.schedules(collective, choice, c);
        for (int t = 0; t < schedules.length; t++) {
          int channel = t * part.channels() + c;
          tasks.add(new ScheduleTask(part.rank(), part.size(), channel, schedules[t]));
        }
      }
    }
    return tasks;
  }

  /** Asks for all connections at once, so that all are made at the same time. */
  private void connect(PlannedCollective way) {
    for (ScheduleTask task : way.schedules) {
      for (int peer : task.schedule().sendPeers()) {
        if (task.messages().sender(peer) == null) {
          SendConnector found = wires.sender(peer, task.channel(), Connectors.Use.COLLECTIVE);
          if (found == null) {
            missing = peer;
          } else {
            task.messages().connect(peer, found);
          }
        }
      }
      for (int peer : task.schedule().recvPeers()) {
        if (task.messages().receiver(peer) == null) {
          ReceiveConnector found = wires.receiver(peer, task.channel(), Connectors.Use.COLLECTIVE);
          if (found == null) {
            missing = peer;
          } else {
            task.messages().connect(peer, found);
          }
        }
      }
      way.networked |= task.messages().isNetworked();
    }
  }

  private void join(ScheduleTask task, Protocol protocol) {
    for (Team team : teams) {
      if (team.channel() == task.channel() && team.protocol() == protocol) {
        task.join(team.side());
        return;
      }
    }
    TeamArea area = wires.team(task.channel(), protocol);
    if (area == null) {
      missing = MissingConnection.TEAM;
      missingMember = Math.max(missingMember, wires.missingMember(task.channel(), protocol));
      return;
    }
    TeamSide side = new TeamSide(part.rank(), area, protocol != Protocol.LL, fold);
    teams.add(new Team(task.channel(), protocol, side));
    task.join(side);
  }
}
