// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One group on this switch, from its first member to its end. It gathers the members, connects
 * them, lets {@link SwitchFlow} move the data, and ends as a whole when one member does. If some
 * members are at another switch it asks the parent for a place. Everything but {@link #admit},
 * {@link #stop} and {@link #stats} runs on one worker's thread, and every wait has a time limit.
 */
final class SwitchGroup implements SwitchWorker.Agent, SwitchChild.Events, Uplink.Events {
  /** How long a member whose data connection ended has to report the reason. */
  private static final long LAST_WORD_NANOS = 200_000_000L;

  final GroupId id;
  final SwitchTraffic traffic = new SwitchTraffic();

  private final SwitchResources site;
  private final Executor thread;
  private final BiConsumer<SwitchGroup, EndReason> whenOver;
  private final int nranks;
  private final Roster roster;
  private final GroupFormation gathering;
  private final GroupNotices notices;
  private @Nullable GroupConnector hookup;
  private @Nullable DataPlane plant;
  private @Nullable PeerException suspicion;
  private @Nullable GroupDrain closing;
  private long suspicionNanos;

  // For stats.
  private volatile GroupState state = GroupState.FORMING;
  private volatile int ranksHere;
  private volatile int children;
  private volatile long memoryBytes;

  /**
   * Begins without members.
   *
   * @param worker the worker whose thread everything runs on
   * @param whenOver told that nothing is left of the group, and why it has ended
   */
  SwitchGroup(
      SwitchResources site,
      SwitchWorker worker,
      GroupId id,
      int nranks,
      BiConsumer<SwitchGroup, EndReason> whenOver) {
    this.site = site;
    this.thread = task -> worker.post(this, task);
    this.whenOver = whenOver;
    this.id = id;
    this.nranks = nranks;
    this.roster = new Roster(site.options(), site.carrier().net().name(), nranks);
    this.gathering = new GroupFormation(site, id, nranks, roster, this, thread);
    this.notices = new GroupNotices(site, "group " + id);
  }

  /** Takes a child, which then joins on the group's thread. */
  @AnyThread
  void admit(SwitchLink link, ControlFrame.Join join) {
    SwitchChild member = new SwitchChild(link, join, this, thread);
    link.setEvents(member);
    thread.execute(() -> enter(member));
  }

  /** Ends the group because the switch ends. */
  @AnyThread
  void stop() {
    thread.execute(this::close);
  }

  @Override
  public boolean isOver() {
    return state == GroupState.OVER;
  }

  /** Lets a member join; if that fails, it is told, too, as are those that came before. */
  private void enter(SwitchChild member) {
    try {
      join(member);
    } catch (RuntimeException | Error e) {
      if (!member.gone && !roster.members.contains(member)) {
        notices.refuse(member, notices.defect(e));
      }
      throw e;
    }
  }

  private void join(SwitchChild member) {
    if (state != GroupState.FORMING) {
      EndReason past = notices.ending();
      notices.refuse(member, past == null ? usage(member, "it is complete already") : past);
      return;
    }
    String wrong = roster.objection(member);
    if (wrong != null) {
      EndReason refusal = usage(member, wrong);
      notices.refuse(member, refusal);
      end(refusal);
      return;
    }
    roster.add(member);
    children = roster.members.size();
    advance();
  }

  private EndReason usage(SwitchChild member, String wrong) {
    return notices.failure(ResultCode.INVALID_USAGE, member.rank(), wrong);
  }

  /** Goes on after a member has come. */
  private void advance() {
    ranksHere = roster.here.cardinality();
    boolean complete;
    try {
      complete = gathering.advance();
    } catch (NetException e) {
      fail(e.result(), ControlFrame.NOBODY, "" + e.getMessage());
      return;
    }
    if (complete) {
      complete(roster.rootSegment(), Segments.LEAST_BYTES);
    }
  }

  /** Tells the members where to send, once all are there. */
  private void complete(int segment, int least) {
    roster.sort();
    GroupLayout fits = roster.fit(segment, least, gathering.above() != null);
    if (fits == null) {
      fail(
          ResultCode.INVALID_USAGE,
          ControlFrame.NOBODY,
          ErrorText.of(
              "%d children need more memory than the %s bytes of a group",
              children, site.options().groupMemoryBytes()));
      return;
    }
    memoryBytes = fits.bytes();
    site.counters().admitted.increment();
    GroupConnector making =
        new GroupConnector(site, nranks, fits, roster.members, gathering.above(), traffic);
    hookup = making;
    state = GroupState.CONNECTING;
    try {
      making.admit();
    } catch (NetException e) {
      fail(e.result(), ControlFrame.NOBODY, "" + e.getMessage());
    }
  }

  @Override
  public void frame(SwitchChild member, ControlFrame frame) {
    if (member.gone) {
      return;
    }
    switch (frame) {
      case ControlFrame.More more -> more(member, more);
      case ControlFrame.Ready ready -> member.ready = true;
      case ControlFrame.Leave leave -> leave(member);
      case ControlFrame.Fail fail ->
          end(new EndReason(fail.code(), fail.rank(), member + ": " + fail.text()));
      default -> {
        fail(ResultCode.REMOTE_ERROR, member.rank(), member + " sends " + frame + " here");
        depart(member);
      }
    }
  }

  private void more(SwitchChild member, ControlFrame.More more) {
    BitSet ranks = new BitSet();
    more.ranks().forEach(ranks::set);
    String wrong = state == GroupState.FORMING ? roster.objection(member, ranks) : null;
    if (wrong != null) {
      fail(ResultCode.INVALID_USAGE, member.rank(), wrong);
    } else if (state == GroupState.FORMING) {
      roster.add(member, ranks);
      advance();
    }
  }

  private void leave(SwitchChild member) {
    boolean orderly = state == GroupState.RUNNING && plant != null && plant.flow.isIdle();
    depart(member);
    end(notices.leaving(member, orderly));
  }

  @Override
  public void lost(SwitchChild member, String why) {
    if (!member.gone) {
      depart(member);
      fail(ResultCode.REMOTE_ERROR, member.rank(), member + " is lost: " + why);
    }
  }

  /** Expects nothing more of a member. */
  private void depart(SwitchChild member) {
    member.gone = true;
    member.link.close();
    DataPlane running = plant;
    if (running != null) {
      running.flow.drop(roster.members.indexOf(member));
    }
  }

  @Override
  public void admitted(Uplink by, ControlFrame.Admit admit) {
    if (!by.equals(gathering.above()) || state != GroupState.FORMING) {
      return;
    }
    try {
      by.pair.connectTo(admit.handle());
      complete(admit.segmentBytes(), admit.segmentBytes());
    } catch (IllegalArgumentException e) {
      fail(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, by + ": " + e);
    }
  }

  @Override
  public void ended(Uplink by, EndReason why, long operations) {
    if (by.equals(gathering.above())) {
      verdict(why, operations == ControlFrame.UNKNOWN ? delivered() : operations);
    }
  }

  private long delivered() {
    DataPlane running = plant;
    return running == null ? 0 : running.flow.delivered();
  }

  /** Ends the group; in a tree the root decides how many operations still get their results. */
  private void end(EndReason why) {
    if (state == GroupState.CLOSING || state == GroupState.OVER) {
      return;
    }
    DataPlane running = plant;
    Uplink parent = gathering.above();
    if (parent == null || parent.gone || state != GroupState.RUNNING || running == null) {
      if (parent != null) {
        parent.say(why.frame(ControlFrame.UNKNOWN));
      }
      verdict(why, state == GroupState.RUNNING && running != null ? running.flow.operations() : 0);
      return;
    }
    notices.note(why);
    parent.say(why.orderly() ? new ControlFrame.Leave() : why.frame(ControlFrame.UNKNOWN));
    closing = GroupDrain.beforeVerdict(running.flow);
    state = GroupState.CLOSING;
  }

  private void fail(ResultCode code, int rank, String what) {
    end(notices.failure(code, rank, what));
  }

  /** Ends the group with the results of the first operations still going out. */
  private void verdict(EndReason why, long operations) {
    GroupDrain last = closing;
    if (state == GroupState.OVER || (last != null && !last.awaitsVerdict())) {
      return;
    }
    notices.note(why);
    DataPlane running = plant;
    long whole = running == null ? operations : Math.min(operations, running.flow.deliverable());
    for (SwitchChild member : roster.members) {
      member.say(why.frame(whole));
    }
    if (running == null) {
      release();
      return;
    }
    closing = GroupDrain.afterVerdict(running.flow, whole);
    state = GroupState.CLOSING;
  }

  private void close() {
    fail(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, "the switch is being stopped");
  }

  @Override
  public void abort(Throwable cause) {
    if (state == GroupState.OVER) {
      return;
    }
    EndReason why = notices.defect(cause);
    Uplink parent = gathering.above();
    try {
      for (SwitchChild member : roster.members) {
        member.say(why.frame(0));
      }
      if (parent != null) {
        parent.say(why.frame(ControlFrame.UNKNOWN));
      }
      notices.note(why);
    } finally {
      release();
    }
  }

  @Override
  public boolean poll(long now) {
    try {
      return switch (state) {
        case FORMING -> form(now);
        case CONNECTING -> connect(now);
        case RUNNING -> run(now);
        case CLOSING -> drain(now);
        case OVER -> false;
      };
    } catch (PeerException e) {
      doubt(e, now);
      return true;
    }
  }

  private boolean form(long now) {
    BitSet missing = gathering.late(now);
    if (missing != null) {
      fail(
          ResultCode.TIMEOUT,
          missing.nextSetBit(0),
          ErrorText.of(
              "%s did not come within %s ms",
              SwitchChild.list(missing), site.options().formNanos() / 1_000_000));
    }
    return false;
  }

  private boolean connect(long now) {
    GroupConnector making = hookup;
    if (making == null) {
      return false;
    }
    DataPlane made = null;
    try {
      made = making.poll();
    } catch (PeerException e) {
      end(notices.failure(e, roster, gathering.above()));
      return true;
    }
    if (made != null) {
      plant = made;
      state = GroupState.RUNNING;
      for (SwitchChild member : roster.members) {
        member.say(new ControlFrame.Ready());
      }
      notices.log(
          children + " children with " + ranksHere + " of " + nranks + " ranks are connected");
      return true;
    }
    BitSet late = making.late(now);
    if (late != null) {
      fail(
          ResultCode.TIMEOUT,
          late.isEmpty() ? ControlFrame.NOBODY : late.nextSetBit(0),
          ErrorText.of(
              "%s did not connect within %s ms",
              late.isEmpty() ? "the parent" : SwitchChild.list(late),
              GroupConnector.LIMIT_NANOS / 1_000_000));
    }
    return false;
  }

  private boolean run(long now) {
    PeerException doubted = suspicion;
    if (doubted != null && now - suspicionNanos >= LAST_WORD_NANOS) {
      end(notices.failure(doubted, roster, gathering.above()));
      return true;
    }
    DataPlane running = plant;
    return running != null && running.flow.poll();
  }

  private boolean drain(long now) {
    GroupDrain last = closing;
    GroupDrain.Step step = last == null ? GroupDrain.Step.OVER : last.poll(now);
    switch (step) {
      case UNANSWERED -> decide();
      case OVER -> release();
      default -> {}
    }
    return step != GroupDrain.Step.IDLE;
  }

  /** Decides in the root's place: the operations whose results are here get them. */
  private void decide() {
    GroupDrain last = closing;
    EndReason own = notices.ending();
    if (last != null && last.awaitsVerdict() && own != null) {
      verdict(own, delivered());
    }
  }

  /** Handles data of a child or the parent that make no sense, or no longer come. */
  private void doubt(PeerException e, long now) {
    DataPlane running = plant;
    if (running == null) {
      throw e;
    }
    if (e.child() != PeerException.PARENT || e.isAboutContent()) {
      running.flow.drop(e.child());
    } // else the last answers may still come on the one way when the other is closed
    if (state == GroupState.CLOSING) {
      if (e.child() == PeerException.PARENT) {
        decide();
        running.flow.limit(running.flow.delivered());
      }
    } else if (e.isAboutContent()) {
      end(notices.failure(e, roster, gathering.above()));
    } else if (suspicion == null) {
      suspicion = e;
      running.flow.halt();
      suspicionNanos = now;
    }
  }

  /** Frees everything. */
  private void release() {
    state = GroupState.OVER;
    try {
      free();
    } finally { // else it would keep its place among the groups of this switch
      EndReason why = notices.ending();
      whenOver.accept(
          this,
          why == null ? new EndReason(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, "over") : why);
    }
  }

  private void free() {
    boolean clean = true;
    for (SwitchChild member : roster.members) {
      clean &= GroupConnector.close(site, member.pair);
      member.link.close();
    }
    Uplink parent = gathering.above();
    if (parent != null) {
      parent.hangUp();
      clean &= GroupConnector.close(site, parent.pair);
    }
    if (hookup != null && clean) { // else the network may still write into the memory
      hookup.free();
      memoryBytes = 0;
    }
  }

  /** Returns its statistics. */
  @AnyThread
  SwitchStats.GroupStats stats() {
    return new SwitchStats.GroupStats(
        id.toString(),
        state.name().toLowerCase(Locale.ROOT),
        nranks,
        ranksHere,
        children,
        traffic.operations(),
        traffic.segments(),
        traffic.bytesIn(),
        traffic.bytesOut(),
        memoryBytes);
  }

  @Override
  public String toString() {
    return "group " + id;
  }

  /** Where a group is in its life. */
  private enum GroupState {
    /** Members are still to come. */
    FORMING,
    /** All are there; the data connections are being made. */
    CONNECTING,
    /** Operations go through. */
    RUNNING,
    /** It has failed; results that lack nothing still go out. */
    CLOSING,
    /** Nothing is left of it. */
    OVER
  }
}
