// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.recording.TransferRecorder;
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
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of collectives on the channels of one executor: made when a collective is done in some
 * way for the first time, connected once, and used again.
 */
@OneThread
public final class CollectiveTasks {
  /** The tasks of one collective done in one way. */
  private static final class PlannedCollective {
    final Collective collective;
    final Choice choice;
    final Task[] tasks;
    final ScheduleTask[] schedules;
    final boolean oneByOne;
    boolean connected;
    boolean networked;

    PlannedCollective(Collective collective, Choice choice, List<ScheduleTask> tasks) {
      this.collective = collective;
      this.choice = choice;
      this.schedules = tasks.toArray(new ScheduleTask[0]);
      this.tasks = tasks.toArray(new Task[0]);
      this.oneByOne = tasks.stream().allMatch(task -> task.schedule().sendsOneByOne());
    }
  }

  /** The shared memory of one number and protocol. */
  private record Team(int channel, Protocol protocol, TeamSide side) {}

  private final ChannelShare share;
  private final ActiveConnectors connectors;
  private final Planner planner;
  private final Fold fold;
  private final List<PlannedCollective> plans = new ArrayList<>();
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

  /** What the operation lacked that could not begin last; null where none lacked anything. */
  private @Nullable MissingConnection missing;

  /** Hears what goes from rank to rank, or null. */
  private @Nullable TransferRecorder recorder;

  /** The roots of the operations so far. */
  private int past;

  public CollectiveTasks(
      ChannelShare share, ActiveConnectors connectors, Planner planner, Fold fold) {
    this.share = share;
    this.connectors = connectors;
    this.planner = planner;
    this.fold = fold;
  }

  /** Tells a recorder what goes from rank to rank; before anything begins. */
  public void record(TransferRecorder by) {
    recorder = by;
  }

  /**
   * Begins an operation if all its connections are there.
   *
   * @return whether it has begun; if not {@link #missing} tells what is missing
   */
  public boolean begin(Operation operation, long number) {
    PlannedCollective plan = plan(operation.collective(), operation.choice());
    if (!plan.connected) {
      if (!connect(plan)) {
        return false;
      }
      plan.connected = true;
    }
    boolean again = isPlanned(plan, operation);
    boolean joined = true;
    for (ScheduleTask task : plan.schedules) {
      if (!again) {
        task.plan(operation);
      }
      if (task.wantsTeam() && task.team() == null) {
        joined &= join(task, plan.choice.protocol(), joined);
      }
    }
    if (!joined) {
      return false;
    }
    long word = operation.headerWord(number, past);
    past = MessageHeader.past(past, operation.root());
    for (ScheduleTask task : plan.schedules) {
      task.begin(operation, word);
    }
    return true;
  }

  /**
   * Returns whether the schedules are planned for such an operation, and notes that they will be.
   */
  private boolean isPlanned(PlannedCollective plan, Operation operation) {
    boolean again =
        isSame(planned, plan)
            && plannedCount == operation.count()
            && plannedBytes == operation.elementBytes()
            && plannedRoot == operation.root();
    planned = plan;
    plannedCount = operation.count();
    plannedBytes = operation.elementBytes();
    plannedRoot = operation.root();
    return again;
  }

  @SuppressWarnings("ReferenceEquality") // each way is there once
  private static boolean isSame(@Nullable PlannedCollective a, PlannedCollective b) {
    return a == b;
  }

  /** Returns the tasks of the operation that was begun last. */
  public Task[] tasks() {
    PlannedCollective plan = last;
    return plan == null ? new Task[0] : plan.tasks;
  }

  /** Returns whether the operation that was begun last needs the network. */
  public boolean isNetworked() {
    PlannedCollective plan = last;
    return plan != null && plan.networked;
  }

  /** Returns whether the operation that was begun last has never two messages under way. */
  public boolean isOneByOne() {
    PlannedCollective plan = last;
    return plan != null && plan.oneByOne;
  }

  /** Returns what the last operation lacked that could not begin, or null. */
  public @Nullable MissingConnection missing() {
    return missing;
  }

  @SuppressWarnings("ReferenceEquality") // a first look; equal ones are found by the second
  private PlannedCollective plan(Collective collective, Choice choice) {
    PlannedCollective plan = last;
    if (plan != null && plan.collective == collective && plan.choice == choice) {
      return plan;
    }
    for (int i = 0; i < plans.size(); i++) {
      plan = plans.get(i);
      if (plan.collective == collective && plan.choice.equals(choice)) {
        last = plan;
        return plan;
      }
    }
    plan = new PlannedCollective(collective, choice, tasks(collective, choice));
    plans.add(plan);
    last = plan;
    return plan;
  }

  private List<ScheduleTask> tasks(Collective collective, Choice choice) {
    if (choice.channels() > share.channels()) {
      throw new IllegalArgumentException(
          choice + " for a communicator of " + share.channels() + " channels");
    }
    List<ScheduleTask> tasks = new ArrayList<>();
    for (int c = 0; c < choice.channels(); c++) {
      if (share.has(c)) {
        SharedChannelEvent event = new SharedChannelEvent(c);
        for (Schedule schedule : planner.schedules(collective, choice, c)) {
          Schedule shown = choice.inPlace() ? planner.inPlace(collective, choice, c) : null;
          tasks.add(
              new ScheduleTask(share.rank(), share.size(), event, c, schedule, shown, recorder));
        }
      }
    }
    return tasks;
  }

  /**
   * Asks for all connections at once, so that all are made at the same time.
   *
   * @return whether all are there
   */
  private boolean connect(PlannedCollective plan) {
    int lacking = Task.NOBODY;
    for (ScheduleTask task : plan.schedules) {
      for (int peer : task.schedule().sendPeers()) {
        if (task.messages().sender(peer) == null) {
          SendConnector found = connectors.sender(peer, task.channel(), Connectors.Use.COLLECTIVE);
          if (found == null) {
            lacking = peer;
          } else {
            task.messages().connect(peer, found);
          }
        }
      }
      for (int peer : task.schedule().recvPeers()) {
        if (task.messages().receiver(peer) == null) {
          ReceiveConnector found =
              connectors.receiver(peer, task.channel(), Connectors.Use.COLLECTIVE);
          if (found == null) {
            lacking = peer;
          } else {
            task.messages().connect(peer, found);
          }
        }
      }
      plan.networked |= task.messages().isNetworked();
    }
    if (lacking != Task.NOBODY) {
      missing = MissingConnection.withRank(lacking, missing);
    }
    return lacking == Task.NOBODY;
  }

  /**
   * Lets a task use the host's shared memory.
   *
   * @param first whether the operation has not lacked any such memory yet
   * @return whether it can
   */
  private boolean join(ScheduleTask task, Protocol protocol, boolean first) {
    for (Team team : teams) {
      if (team.channel() == task.channel() && team.protocol() == protocol) {
        task.join(team.side());
        return true;
      }
    }
    TeamArea area = connectors.team(task.channel(), protocol);
    if (area == null) {
      if (first || missing instanceof MissingConnection.HostMemory) {
        int member = connectors.missingMember(task.channel(), protocol);
        missing = MissingConnection.hostMemory(member, missing);
      }
      return false;
    }
    TeamSide side = new TeamSide(share.rank(), area, protocol != Protocol.LL, fold);
    teams.add(new Team(task.channel(), protocol, side));
    task.join(side);
    return true;
  }
}
