// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.team.Team;
import io.nitinol.core.team.TeamPlan;
import io.nitinol.core.team.TeamSetup;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The team of this rank's host for one channel, until it is there and from then on. Any thread may
 * ask for it; it is made by the thread that connects.
 */
final class TeamMaking implements PendingSetup {
  private final int channel;
  private final TeamPlan plan;
  private final ConnectContext here;
  private final TeamSetup setup;
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile @Nullable Team team;
  private volatile int left = -1;
  private volatile int missing;
  private boolean closed; // guarded by this

  private byte @Nullable [] message;
  private boolean begun;
  private boolean failed;
  private boolean seenToLeave;

  TeamMaking(int channel, TeamPlan plan, ShmDirectory directory, ConnectContext here) {
    this.channel = channel;
    this.plan = plan;
    this.here = here;
    this.setup =
        new TeamSetup(
            plan,
            directory,
            (rank, text) -> here.send(rank, ConnectNotice.team(channel, text)),
            rank -> message);
    this.missing = setup.missing();
  }

  /** Returns whether this is the first question. */
  boolean ask() {
    return !asked.get() && asked.compareAndSet(false, true);
  }

  /** Returns the team, or null while it is being made. */
  @Nullable Team team() {
    return team;
  }

  /** Returns a member that was not there yet when that was looked at last, or -1. */
  int missing() {
    return missing;
  }

  /** Returns the member that has left before the team was there, or -1. */
  int left() {
    return left;
  }

  @Override
  public void begin() {
    begun = true;
  }

  @Override
  public void heard(ConnectNotice notice) {
    message = notice.handle();
  }

  @Override
  public boolean poll() {
    if (!begun || failed || isOver()) {
      return false;
    }
    try {
      Team made = setup.poll();
      if (made != null) {
        publish(made);
        return true;
      }
      int before = missing;
      missing = setup.missing();
      return missing != before;
    } catch (Throwable e) {
      troubled(e);
    }
    return false;
  }

  private void publish(Team made) {
    boolean wanted;
    synchronized (this) {
      wanted = !closed;
      if (wanted) {
        team = made;
      }
    }
    if (!wanted) {
      made.close(); // the closing thread has not waited for this one any longer
    } else if (plan.index() == 0 && here.isLogged()) { // once for all members
      String members = plan.ranks().stream().map(here::named).collect(Collectors.joining(" "));
      here.log(
          channel,
          Use.COLLECTIVE.ordinal(),
          ErrorText.of("team of %s via %s", members, plan.oneProcess() ? "P2P" : "SHM"));
    }
  }

  @Override
  public void troubled(Throwable e) {
    failed = true;
    if (e instanceof BootstrapException && here.failures().isStopped()) {
      return; // the failure says more, once all have reported what they see
    }
    if (e instanceof NetException gone && gone.result() == ResultCode.REMOTE_ERROR) {
      here.failures().suspect(plan.ranks().getFirst(), gone); // which offers the memory
      return;
    }
    String text =
        ErrorText.of(
            "rank %s could not share memory on channel %s with ranks %s of its host: %s",
            here.rank(),
            channel,
            plan.ranks(),
            e instanceof NetException || e instanceof BootstrapException ? e.getMessage() : e);
    if (e instanceof BootstrapException gone) {
      here.failures().fail(new CommException(gone.result(), gone.failedRank(), text, e));
      return;
    }
    ResultCode result = e instanceof NetException own ? own.result() : ResultCode.INTERNAL_ERROR;
    here.failures().report(new FailureReport(here.rank(), result, here.rank(), text), e);
  }

  @Override
  public void review() {
    for (int rank : begun && !isOver() ? plan.ranks() : List.<Integer>of()) {
      if (rank != here.rank() && here.bootstrap().hasLeft(rank)) {
        // It may have done its part before; the polls until the next review find that out.
        if (seenToLeave) {
          abandon();
          left = rank;
        }
        seenToLeave = true;
        return;
      }
    }
  }

  @Override
  public boolean isActive() {
    // Before the first member's message there is nothing to look at; it is heard at once.
    return begun && !failed && (plan.index() == 0 || message != null);
  }

  @Override
  public boolean isOver() {
    return team != null || left >= 0;
  }

  @Override
  public boolean isLost() {
    return left >= 0;
  }

  @Override
  public void abandon() {
    if (!isOver()) {
      setup.close();
    }
  }

  @Override
  public @Nullable String stuck(long until) {
    return null;
  }

  /** Gives the team's memory back, where it is there; it is not published any more if not. */
  void close(List<Throwable> errors) {
    Team mine;
    synchronized (this) {
      closed = true;
      mine = team;
    }
    if (mine != null) {
      try {
        mine.close();
      } catch (Throwable e) {
        errors.add(e);
      }
    }
  }
}
