// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.plugin.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The tools of a test of networks, with and without reductions. */
public abstract class Session extends TestSession {
  private static final long BEHIND_HANDLES = 256;

  private final List<GuardedArea> areas = new ArrayList<>();

  /** The answer of {@link #mostBytes}; 0 before. */
  private volatile long most;

  Session(TestTerms terms) {
    super(terms);
  }

  /** Returns the part of the plugin that networks of both kinds have in common. */
  public abstract CommonNet common();

  /** Returns the properties of a device. */
  public final NetProperties properties(int device) {
    return step(
        "NET-DEV-02", "getProperties(" + device + ")", () -> common().getProperties(device));
  }

  /** Asks the properties how many bytes an operation may have. */
  abstract long askMostBytes();

  /**
   * Returns how many bytes a message, or the room for it, may have, or an operation of a group. Any
   * thread.
   */
  public final long mostBytes() {
    long known = most;
    if (known == 0) {
      known = askMostBytes();
      most = known;
    }
    return known;
  }

  /** Returns this many bytes, or as many as an operation may have if that is less. Any thread. */
  public final long cut(long bytes) {
    return Math.min(bytes, mostBytes());
  }

  /** The same for what fits into an int. */
  public final int cut(int bytes) {
    return Math.toIntExact(cut((long) bytes));
  }

  /**
   * Skips the test if an operation of a caller that keeps its rules (NET-SEND-06, COLL-27) cannot
   * have as many bytes. Any thread.
   *
   * @throws io.nitinol.tck.check.Inapplicable with the reason
   */
  public final void needsBytes(long bytes) {
    if (bytes > mostBytes()) {
      throw skip("an operation has " + bytes + " bytes, and the device takes " + mostBytes());
    }
  }

  /** Returns a new instance of the same plugin on the same lane that has not been initialized. */
  public abstract CommonNet create();

  /** Returns guarded native memory on a page boundary, alive until the session ends. Any thread. */
  public final GuardedArea area(long size) {
    GuardedArea area =
        new GuardedArea(arena(), size, lane().kind() == Kind.NET ? "NET-RECV-05" : "COLL-22");
    synchronized (areas) {
      areas.add(area);
    }
    return area;
  }

  /** Returns a zeroed handle buffer of the lane's size, aligned to 8. Any thread. */
  public final MemorySegment handle() {
    return roomFor(lane().handleSize());
  }

  /** Returns a copy of a handle, at another address. Any thread. */
  public final MemorySegment copyOf(MemorySegment handle) {
    return roomFor(handle.byteSize()).copyFrom(handle);
  }

  /**
   * Leaves room behind a handle, so that a plugin that writes there (NET-CONN-03) does not hit the
   * heap.
   */
  private MemorySegment roomFor(long handleSize) {
    return arena().allocate(handleSize + BEHIND_HANDLES, 8).asSlice(0, handleSize);
  }

  /** Checks the guards of all areas. */
  public final void checkGuards() {
    synchronized (areas) {
      areas.forEach(GuardedArea::checkGuards);
    }
  }

  @Override
  protected final void lookAfterwards() {
    checkGuards();
  }
}
