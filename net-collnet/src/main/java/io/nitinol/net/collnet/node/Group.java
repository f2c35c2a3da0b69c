// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.ControlLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.BitSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One group on this switch, from its first member to its end: gathers the members, asks the parent
 * for a place where some are elsewhere, connects, lets the data flow, and ends as a whole when one
 * member does. Everything but {@link #stats} runs on one worker's thread, and no wait is without an
 * end.
 */
final class Group {
  private static final long CONNECT_NANOS = 20_000_000_000L;
  private static final long CLOSE_NANOS = 5_000_000_000L;

  /** A member's last word is worth more than the end of its data connection: it says why. */
  private static final long LAST_WORD_NANOS = 200_000_000L;

  /** What the levels of a tree grant each other, so that the root's word comes first. */
  private static final long LEVEL_NANOS = 2_000_000_000L;

  final GroupId id;
  final Traffic traffic = new Traffic();

  private final Site site;
  private final Worker worker;
  private final int nranks;
  private final Roster roster;
  private @Nullable Uplink above;
  private @Nullable Hookup hookup;
  private @Nullable Plant plant;
  private @Nullable Ending ending;
  private @Nullable MemberException suspicion;
  private boolean awaitsVerdict;
  private long deadline;

  // For stats.
  private volatile State state = State.FORMING;
  private volatile int ranksHere;
  private volatile int children;
  private volatile long memoryBytes;

  Group(Site site, Worker worker, GroupId id, int nranks) {
    this.site = site;
    this.worker = worker;
    this.id = id;
    this.nranks = nranks;
    this.roster = new Roster(site.options(), site.carrier().net().name(), nranks);
    this.deadline = System.nanoTime() + site.options().formNanos();
  }

  /** Lets a child in, whoever calls: it joins on the group's thread. */
  void admit(ControlLink link, ControlFrame.Join join) {
    Member member = new Member(link, join, this, worker);
    link.setEvents(member);
    worker.post(this, () -> enter(member));
  }

  /** Ends the group because the switch ends; from any thread. */
  void stop() {
    worker.post(this, this::close);
  }

  boolean isOver() {
    return state == State.OVER;
  }

  /** A member comes; where that goes wrong it is told so too, like those who have come before. */
  private void enter(Member member) {
    try {
      join(member);
    } catch (RuntimeException | Error e) {
      if (!member.gone && !roster.members.contains(member)) {
        refuse(member, defect(e));
      }
      throw e;
    }
  }

  private void join(Member member) {
    Ending why = ending;
    if (state != State.FORMING) {
      refuse(
          member,
          why == null
              ? new Ending(ResultCode.INVALID_USAGE, member.rank(), text("it is complete already"))
              : why);
      return;
    }
    String wrong = roster.objection(member);
    if (wrong != null) {
      Ending refusal = new Ending(ResultCode.INVALID_USAGE, member.rank(), text(wrong));
      refuse(member, refusal);
      end(refusal);
      return;
    }
    roster.add(member);
    children = roster.members.size();
    advance();
  }

  private void refuse(Member member, Ending why) {
    site.ledger().refusals.increment();
    member.say(new ControlFrame.Refuse(why.code(), why.text()));
    member.gone = true;
    member.link.close();
    log(member + " is refused: " + why.text());
  }

  /** Somebody has come. */
  private void advance() {
    ranksHere = roster.here.cardinality();
    if (roster.isComplete()) {
      Uplink early = above;
      above = null;
      if (early != null) { // nobody is elsewhere: this is the group's root
        early.say(new ControlFrame.Leave());
        early.hangUp();
        Hookup.close(site, early.pair);
      }
      complete(roster.rootSegment(), Segments.LEAST_BYTES);
    } else if (above != null) {
      above.more(roster.here);
    } else if (site.options().parent() != null && roster.allOfThisSwitchAreHere()) {
      deadline = System.nanoTime() + site.options().formNanos() + LEVEL_NANOS;
      try {
        above = new Uplink(site, this, worker, id, nranks, roster.here, roster.acceptableSegment());
      } catch (NetException e) {
        fail(e.result(), ControlFrame.NOBODY, "" + e.getMessage());
      }
    }
  }

  /** All are there: tells the members where to send. */
  private void complete(int segment, int least) {
    roster.sort();
    Layout fits = roster.fit(segment, least, above != null);
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
    site.ledger().admitted.increment();
    Hookup making = new Hookup(site, nranks, fits, roster.members, above, traffic);
    hookup = making;
    state = State.CONNECTING;
    deadline = System.nanoTime() + CONNECT_NANOS;
    try {
      making.admit();
    } catch (NetException e) {
      fail(e.result(), ControlFrame.NOBODY, "" + e.getMessage());
    }
  }

  /** A member says something. */
  void frame(Member member, ControlFrame frame) {
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
    end(new Ending(ResultCode.REMOTE_ERROR, member.rank(), text(member + " has left"), orderly));
  }

  /** A member's control connection has ended. */
  void lost(Member member, String why) {
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

  /** The parent lets this switch in. */
  void admitted(Uplink by, ControlFrame.Admit admit) {
    if (!by.equals(above) || state != State.FORMING) {
      return;
    }
    try {
      by.pair.connectTo(admit.handle());
      complete(admit.segmentBytes(), admit.segmentBytes());
    } catch (IllegalArgumentException e) {
      fail(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, by + ": " + e);
    }
  }

  /**
   * The parent has ended the group, or is lost.
   *
   * @param operations how many operations it still answers; {@link ControlFrame#UNKNOWN}: those
   *     whose answers are here
   */
  void ended(Uplink by, Ending why, long operations) {
    if (by.equals(above)) {
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
    Uplink parent = above;
    if (parent == null || parent.gone || state != State.RUNNING || running == null) {
      if (parent != null) {
        parent.say(why.frame(ControlFrame.UNKNOWN));
      }
      verdict(why, state == State.RUNNING && running != null ? running.flow.operations() : 0);
      return;
    }
    note(why);
    running.flow.halt();
    parent.say(why.orderly() ? new ControlFrame.Leave() : why.frame(ControlFrame.UNKNOWN));
    awaitsVerdict = true;
    deadline = System.nanoTime() + CLOSE_NANOS;
    state = State.CLOSING;
  }

  private void fail(ResultCode code, int rank, String what) {
    end(new Ending(code, rank, text(what)));
  }

  private void note(Ending why) {
    if (ending != null) {
      return;
    }
    ending = why;
    if (why.orderly()) {
      log(why.text());
    } else {
      site.ledger().failures.increment();
      site.logger().warn("Group", "switch " + site.name() + ": " + this + " fails: " + why.text());
    }
  }

  /** Ends the group with the results of the first operations still going out. */
  private void verdict(Ending why, long operations) {
    if (state == State.OVER || (state == State.CLOSING && !awaitsVerdict)) {
      return;
    }
    note(why);
    awaitsVerdict = false;
    Plant running = plant;
    long whole = running == null ? operations : Math.min(operations, running.flow.deliverable());
    for (Member member : roster.members) {
      member.say(why.frame(whole));
    }
    if (running == null || state == State.FORMING || state == State.CONNECTING) {
      release();
      return;
    }
    running.flow.limit(whole);
    state = State.CLOSING;
    deadline = System.nanoTime() + CLOSE_NANOS;
  }

  private void close() {
    fail(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, "the switch is being stopped");
  }

  /** Ends the group because of a defect; nothing about it can be relied on. */
  void abort(Throwable cause) {
    if (state == State.OVER) {
      return;
    }
    Ending why = defect(cause);
    try {
      for (Member member : roster.members) {
        member.say(why.frame(0));
      }
      if (above != null) {
        above.say(why.frame(ControlFrame.UNKNOWN));
      }
      note(why);
    } finally {
      release();
    }
  }

  private Ending defect(Throwable cause) {
    return new Ending(ResultCode.INTERNAL_ERROR, ControlFrame.NOBODY, text("defect: " + cause));
  }

  /**
   * Does what can be done now.
   *
   * @return whether anything moved
   */
  boolean poll(long now) {
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
    if (now - deadline >= 0) {
      BitSet missing = roster.missing();
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
      end(endingOf(e));
      return true;
    }
    if (made != null) {
      plant = made;
      state = State.RUNNING;
      for (Member member : roster.members) {
        member.say(new ControlFrame.Ready());
      }
      log(children + " children with " + ranksHere + " of " + nranks + " ranks are connected");
      return true;
    }
    if (now - deadline >= 0) {
      BitSet late = making.late();
      fail(
          ResultCode.TIMEOUT,
          late.isEmpty() ? ControlFrame.NOBODY : late.nextSetBit(0),
          (late.isEmpty() ? "the parent" : Member.list(late))
              + " did not connect within "
              + CONNECT_NANOS / 1_000_000
              + " ms");
    }
    return false;
  }

  private boolean run(long now) {
    MemberException doubted = suspicion;
    if (doubted != null && now - deadline >= 0) {
      end(endingOf(doubted));
      return true;
    }
    Plant running = plant;
    return running != null && running.flow.poll();
  }

  private boolean drain(long now) {
    Plant running = plant;
    if (running == null || (!awaitsVerdict && running.flow.isDrained())) {
      release();
      return true;
    }
    if (now - deadline >= 0) {
      if (awaitsVerdict) {
        Ending own = ending;
        if (own != null) {
          verdict(own, running.flow.delivered());
          return true;
        }
      }
      release();
      return true;
    }
    return running.flow.poll();
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
        Ending own = ending;
        if (awaitsVerdict && own != null) {
          verdict(own, running.flow.delivered());
        }
        running.flow.limit(running.flow.delivered());
      }
    } else if (e.isAboutContent()) {
      end(endingOf(e));
    } else if (suspicion == null) {
      suspicion = e;
      running.flow.halt();
      deadline = now + LAST_WORD_NANOS;
    }
  }

  private Ending endingOf(MemberException e) {
    if (e.child() == MemberException.PARENT) {
      return new Ending(
          e.code(), ControlFrame.NOBODY, text("the parent " + above + ": " + e.getMessage()));
    }
    Member member = roster.members.get(e.child());
    return new Ending(e.code(), member.rank(), text(member + ": " + e.getMessage()));
  }

  /** Lets go of everything. */
  private void release() {
    state = State.OVER;
    boolean clean = true;
    for (Member member : roster.members) {
      clean &= Hookup.close(site, member.pair);
      member.link.close();
    }
    Uplink parent = above;
    if (parent != null) {
      parent.hangUp();
      clean &= Hookup.close(site, parent.pair);
    }
    if (hookup != null && clean) { // else the network may still write into the memory
      hookup.free();
      memoryBytes = 0;
    }
    Ending why = ending;
    site.ledger()
        .end(
            this,
            why == null ? new Ending(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, "over") : why);
  }

  private String text(String what) {
    return site.text(what);
  }

  private void log(String what) {
    site.logger()
        .info(LogSubsystem.COLL, "Group", "switch " + site.name() + ": " + this + ": " + what);
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
