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
