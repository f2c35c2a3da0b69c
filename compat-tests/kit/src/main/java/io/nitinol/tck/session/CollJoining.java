// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.CollComm;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * A group that is being connected: the members of this process that have called connect, each on a
 * thread of its own, since it may wait for the others. Used by one thread.
 */
public final class CollJoining {
  private final CollSession session;
  private final List<MemorySegment> handles;
  private final UnaryOperator<MemorySegment> copy;
  private final List<MemorySegment[]> copies = new ArrayList<>();
  private final Map<Integer, SideThread> entered = new TreeMap<>();
  private final Map<Integer, CollListening> listeners = new TreeMap<>();
  private final Map<Integer, CollComm> comms = new ConcurrentHashMap<>();
  private final Map<Integer, NetException> failures = new ConcurrentHashMap<>();
  private final Map<Integer, Long> ended = new ConcurrentHashMap<>();

  /**
   * Creates a group without members.
   *
   * @param handles the handle of each member, as its listen wrote it
   */
  public CollJoining(CollSession session, List<MemorySegment> handles) {
    this(session, handles, session::copyOf);
  }

  private CollJoining(
      CollSession session, List<MemorySegment> handles, UnaryOperator<MemorySegment> copy) {
    this.session = session;
    this.handles = List.copyOf(handles);
    this.copy = copy;
  }

  /** Makes all members enter, in the order of their ranks. */
  static CollJoining start(CollSession session, List<CollListening> listeners) {
    CollJoining joining = of(session, listeners);
    for (int rank = 0; rank < listeners.size(); rank++) {
      joining.enter(rank, listeners.get(rank));
    }
    return joining;
  }

  /** Makes all members enter with copies of the handles that the caller makes. */
  public static CollJoining ofCopies(
      CollSession session, List<CollListening> listeners, UnaryOperator<MemorySegment> copy) {
    CollJoining joining =
        new CollJoining(session, listeners.stream().map(CollListening::handle).toList(), copy);
    for (int rank = 0; rank < listeners.size(); rank++) {
      joining.enter(rank, listeners.get(rank));
    }
    return joining;
  }

  /** Creates a group for these listeners, which no member has entered yet. */
  public static CollJoining of(CollSession session, List<CollListening> listeners) {
    return new CollJoining(session, listeners.stream().map(CollListening::handle).toList());
  }

  /** Makes one member enter. */
  public void enter(int rank, CollListening listening) {
    listeners.put(rank, listening);
    MemorySegment[] own = new MemorySegment[handles.size()];
    for (int i = 0; i < own.length; i++) {
      own[i] = copy.apply(handles.get(i));
    }
    copies.add(own);
    entered.put(rank, SideThread.start("connect-" + rank, () -> connect(rank, listening, own)));
  }

  private void connect(int rank, CollListening listening, MemorySegment[] own) {
    try {
      CollComm comm = listening.net().connect(own, own.length, rank, listening.comm());
      if (comm == null) {
        throw new RuleViolation(
            "COLL-03", "connect of rank " + rank + " of " + own.length + " returned null");
      }
      comms.put(rank, comm);
    } catch (NetException e) {
      failures.put(rank, e);
    } catch (RuleViolation e) {
      throw e;
    } catch (Throwable e) {
      throw new RuleViolation("NET-ERR-01", "connect threw " + e, e);
    } finally {
      ended.put(rank, System.nanoTime());
    }
  }

  /** Returns whether the members' handles are still as listen wrote them. */
  public boolean handlesKept() {
    for (MemorySegment[] own : copies) {
      for (int i = 0; i < own.length; i++) {
        if (own[i].mismatch(handles.get(i)) >= 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns how many members the group is to have. */
  public int size() {
    return handles.size();
  }

  /** Returns whether all that entered have returned from connect. */
  public boolean isDone() {
    entered.values().forEach(SideThread::check);
    return entered.values().stream().allMatch(SideThread::isDone);
  }

  /** Returns whether a member has returned from connect. */
  public boolean isDone(int rank) {
    SideThread connecting = entered.get(rank);
    return connecting != null && connecting.isDone();
  }

  /**
   * Waits until all that entered have returned.
   *
   * @throws RuleViolation of COLL-03 when they do not in time
   */
  public void await(long nanos) {
    if (!Session.within(nanos, this::isDone)) {
      session.terms().patience().disappointed();
      throw new RuleViolation(
          "COLL-03",
          ErrorText.of("of %s members of %s that called connect, ", entered.size(), size())
              + entered.values().stream().filter(one -> !one.isDone()).count()
              + " have not returned");
    }
  }

  /** Returns the members that have connected, in the order of their ranks. */
  public List<CollMember> members() {
    List<CollMember> members = new ArrayList<>();
    listeners.forEach((rank, listening) -> {
      CollComm comm = comms.get(rank);
      if (comm != null) {
        members.add(new CollMember(session, listening.net(), comm, rank));
      }
    });
    return members;
  }

  /** Returns the failures of connect, in the order of the ranks. */
  public List<NetException> failures() {
    return new ArrayList<>(new TreeMap<>(failures).values());
  }

  /** Returns the time of the last return from connect, as {@link System#nanoTime}. */
  public long lastEnd() {
    return ended.values().stream().mapToLong(Long::longValue).max().orElse(System.nanoTime());
  }
}
