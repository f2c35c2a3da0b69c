// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.ControlLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One group on this switch, from its first member to its end: gathers the members, asks the parent
 * for a place where some are elsewhere, connects, lets the data flow, and ends as a whole when one
 * member does. Everything but {@link #stats} runs on one worker's thread, and no wait is without an
 * end.
 */
final class Group implements Worker.Agent, Member.Events, Uplink.Events {
  /** A member's last word is worth more than the end of its data connection: it says why. */
  private static final long LAST_WORD_NANOS = 200_000_000L;

  final GroupId id;
  final Traffic traffic = new Traffic();

  private final Site site;
  private final Executor thread;
  private final BiConsumer<Group, Ending> whenOver;
  private final int nranks;
  private final Roster roster;
  private final Gathering gathering;
  private final Notices notices;
  private @Nullable Hookup hookup;
  private @Nullable Plant plant;
  private @Nullable MemberException suspicion;
  private @Nullable Closing closing;
  private long suspicionNanos;

  // For stats.
  private volatile State state = State.FORMING;
  private volatile int ranksHere;
  private volatile int children;
  private volatile long memoryBytes;

  /**
   * Begins without members.
   *
   * @param worker whose thread everything runs on
   * @param whenOver told that nothing is left of the group, and why it has ended
   */
  Group(Site site, Worker worker, GroupId id, int nranks, BiConsumer<Group, Ending> whenOver) {
    this.site = site;
    this.thread = task -> worker.post(this, task);
    this.whenOver = whenOver;
    this.id = id;
    this.nranks = nranks;
    this.roster = new Roster(site.options(), site.carrier().net().name(), nranks);
    this.gathering = new Gathering(site, id, nranks, roster, this, thread);
    this.notices = new Notices(site, "group " + id);
  }

  /** Lets a child in, whoever calls: it joins on the group's thread. */
  void admit(ControlLink link, ControlFrame.Join join) {
    Member member = new Member(link, join, this, thread);
    link.setEvents(member);
    thread.execute(() -> enter(member));
  }

  /** Ends the group because the switch ends; from any thread. */
  void stop() {
    thread.execute(this::close);
  }

  @Override
  public boolean isOver() {
    return state == State.OVER;
  }

  /** A member comes; where that goes wrong it is told so too, like those who have come before. */
  private void enter(Member member) {
    try {
      join(member);
    } catch (RuntimeException | Error e) {
      if (!member.gone && !roster.members.contains(member)) {
        notices.refuse(member, notices.defect(e));
      }
      throw e;
    }
  }

  private void join(Member member) {
    if (state != State.FORMING) {
      Ending past = notices.ending();
      notices.refuse(member, past == null ? usage(member, "it is complete already") : past);
      return;
    }
    String wrong = roster.objection(member);
    if (wrong != null) {
      Ending refusal = usage(member, wrong);
      notices.refuse(member, refusal);
      end(refusal);
      return;
    }
    roster.add(member);
    children = roster.members.size();
    advance();
  }

  private Ending usage(Member member, String wrong) {
    return notices.failure(ResultCode.INVALID_USAGE, member.rank(), wrong);
  }

  /** Somebody has come. */
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

  /** All are there: tells the members where to send. */
  private void complete(int segment, int least) {
    roster.sort();
    Layout fits = roster.fit(segment, least, gathering.above() != null);
    if (fits == null) {
      fail(
          ResultCode.INVALID_USAGE,
          ControlFrame.NOBODY,
          children
              + " children need more memory than the "
              + site.options().groupMemoryBytes()
              + " bytes of a group");
      return;
    }
    memoryBytes = fits.bytes();
    site.counters().admitted.increment();
    Hookup making = new Hookup(site, nranks, fits, roster.members, gathering.above(), traffic);
    hookup = making;
    state = State.CONNECTING;
    try {
      making.admit();
    } catch (NetException e) {
      fail(e.result(), ControlFrame.NOBODY, "" + e.getMessage());
    }
  }

  @Override
  public void frame(Member member, ControlFrame frame) {
    if (member.gone) {
      return;
    }
    switch (frame) {
      case ControlFrame.More more -> more(member, more);
      case ControlFrame.Ready ready -> member.ready = true;
      case ControlFrame.Leave leave -> leave(member);
      case ControlFrame.Fail fail ->
          end(new Ending(fail.code(), fail.rank(), member + ": " + fail.text()));
      default -> {
        fail(ResultCode.REMOTE_ERROR, member.rank(), member + " says " + frame + " here");
        depart(member);
      }
    }
  }

  private void more(Member member, ControlFrame.More more) {
    BitSet ranks = new BitSet();
    more.ranks().forEach(ranks::set);
    String wrong = state == State.FORMING ? roster.objection(member, ranks) : null;
    if (wrong != null) {
      fail(ResultCode.INVALID_USAGE, member.rank(), wrong);
    } else if (state == State.FORMING) {
      roster.add(member, ranks);
      advance();
    }
  }

  private void leave(Member member) {
    boolean orderly = state == State.RUNNING && plant != null && plant.flow.isIdle();
    depart(member);
    end(notices.leaving(member, orderly));
  }

  @Override
  public void lost(Member member, String why) {
    if (!member.gone) {
      depart(member);
      fail(ResultCode.REMOTE_ERROR, member.rank(), member + " is lost: " + why);
    }
  }

  /** Expects nothing more of a member. */
  private void depart(Member member) {
    member.gone = true;
    member.link.close();
    Plant running = plant;
    if (running != null) {
      running.flow.drop(roster.members.indexOf(member));
    }
  }

  @Override
  public void admitted(Uplink by, ControlFrame.Admit admit) {
    if (!by.equals(gathering.above()) || state != State.FORMING) {
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
  public void ended(Uplink by, Ending why, long operations) {
    if (by.equals(gathering.above())) {
      verdict(why, operations == ControlFrame.UNKNOWN ? delivered() : operations);
    }
  }

  private long delivered() {
    Plant running = plant;
    return running == null ? 0 : running.flow.delivered();
  }

  /** Ends the group; in a tree the root says of how many operations the results still come. */
  private void end(Ending why) {
    if (state == State.CLOSING || state == State.OVER) {
      return;
    }
    Plant running = plant;
    Uplink parent = gathering.above();
    if (parent == null || parent.gone || state != State.RUNNING || running == null) {
      if (parent != null) {
        parent.say(why.frame(ControlFrame.UNKNOWN));
      }
      verdict(why, state == State.RUNNING && running != null ? running.flow.operations() : 0);
      return;
    }
    notices.note(why);
    parent.say(why.orderly() ? new ControlFrame.Leave() : why.frame(ControlFrame.UNKNOWN));
    closing = Closing.beforeVerdict(running.flow);
    state = State.CLOSING;
  }

  private void fail(ResultCode code, int rank, String what) {
    end(notices.failure(code, rank, what));
  }

  /** Ends the group with the results of the first operations still going out. */
  private void verdict(Ending why, long operations) {
    Closing last = closing;
    if (state == State.OVER || (last != null && !last.awaitsVerdict())) {
      return;
    }
    notices.note(why);
    Plant running = plant;
    long whole = running == null ? operations : Math.min(operations, running.flow.deliverable());
    for (Member member : roster.members) {
      member.say(why.frame(whole));
    }
    if (running == null) {
      release();
      return;
    }
    closing = Closing.afterVerdict(running.flow, whole);
    state = State.CLOSING;
  }

  private void close() {
    fail(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, "the switch is being stopped");
  }

  @Override
  public void abort(Throwable cause) {
    if (state == State.OVER) {
      return;
    }
    Ending why = notices.defect(cause);
    Uplink parent = gathering.above();
    try {
      for (Member member : roster.members) {
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
    } catch (MemberException e) {
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
          Member.list(missing)
              + " did not come within "
              + site.options().formNanos() / 1_000_000
              + " ms");
    }
    return false;
  }

  private boolean connect(long now) {
    Hookup making = hookup;
    if (making == null) {
      return false;
    }
    Plant made = null;
    try {
      made = making.poll();
    } catch (MemberException e) {
      end(notices.failure(e, roster, gathering.above()));
      return true;
    }
    if (made != null) {
      plant = made;
      state = State.RUNNING;
      for (Member member : roster.members) {
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
          (late.isEmpty() ? "the parent" : Member.list(late))
              + " did not connect within "
              + Hookup.LIMIT_NANOS / 1_000_000
              + " ms");
    }
    return false;
  }

  private boolean run(long now) {
    MemberException doubted = suspicion;
    if (doubted != null && now - suspicionNanos >= LAST_WORD_NANOS) {
      end(notices.failure(doubted, roster, gathering.above()));
      return true;
    }
    Plant running = plant;
    return running != null && running.flow.poll();
  }

  private boolean drain(long now) {
    Closing last = closing;
    Closing.Step step = last == null ? Closing.Step.OVER : last.poll(now);
    switch (step) {
      case UNANSWERED -> decide();
      case OVER -> release();
      default -> {}
    }
    return step != Closing.Step.IDLE;
  }

  /** Says in the root's place of how many operations the results come: of those that are here. */
  private void decide() {
    Closing last = closing;
    Ending own = notices.ending();
    if (last != null && last.awaitsVerdict() && own != null) {
      verdict(own, delivered());
    }
  }

  /** Somebody's data make no sense, or no longer come. */
  private void doubt(MemberException e, long now) {
    Plant running = plant;
    if (running == null) {
      throw e;
    }
    if (e.child() != MemberException.PARENT || e.isAboutContent()) {
      running.flow.drop(e.child());
    } // else the last answers may still come on the one way when the other is closed
    if (state == State.CLOSING) {
      if (e.child() == MemberException.PARENT) {
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

  /** Lets go of everything. */
  private void release() {
    state = State.OVER;
    try {
      free();
    } finally { // else it would keep its place among the groups of this switch
      Ending why = notices.ending();
      whenOver.accept(
          this,
          why == null ? new Ending(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, "over") : why);
    }
  }

  private void free() {
    boolean clean = true;
    for (Member member : roster.members) {
      clean &= Hookup.close(site, member.pair);
      member.link.close();
    }
    Uplink parent = gathering.above();
    if (parent != null) {
      parent.hangUp();
      clean &= Hookup.close(site, parent.pair);
    }
    if (hookup != null && clean) { // else the network may still write into the memory
      hookup.free();
      memoryBytes = 0;
    }
  }

  /** Returns what {@link SwitchStats} shows of it; from any thread. */
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
}
