// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.CommException;
import io.nitinol.core.shm.RegionHandle;
import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The buffers that the members of a team, which are several processes, have allocated so that all
 * of them see each: what {@code Communicator.allocate} returns. A window is one such call: a buffer
 * of each member, mapped by all.
 *
 * <p>A member names a buffer by a place, one word: the number of its window and an offset into the
 * buffer that it has there. A place comes from another process, so nothing in it is believed before
 * {@link #require}; and every access to {@link #memory} is checked against its bounds.
 */
@AnyThread
public final class HostWindows {
  /** The place of a buffer that the other members do not see. */
  public static final long NOWHERE = 0;

  /** How many windows a communicator has at most: each is mapped by all members. */
  public static final int MOST = 1024;

  private static final int OFFSET_BITS = 48;
  private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

  private final ShmDirectory directory;
  private final int members;
  private final int own;

  /** By window; replaced, never changed, so that threads that look need no lock. */
  private volatile MemorySegment[][] windows = {};

  private final List<SharedRegion> regions = new ArrayList<>(); // guarded by this
  private boolean closed; // guarded by this

  /**
   * Creates a set without windows.
   *
   * @param directory where members meet
   * @param members how many there are
   * @param own which of them this one is
   */
  public HostWindows(ShmDirectory directory, int members, int own) {
    this.directory = directory;
    this.members = members;
    this.own = own;
  }

  /** Returns how many windows there are. */
  public int count() {
    return windows.length;
  }

  /** Returns this member's place among the others. */
  public int own() {
    return own;
  }

  /** Returns how many bytes may be had where members meet, as far as that is known. */
  public long room() {
    return directory.usable();
  }

  /**
   * Returns why a buffer cannot be had, and what may help.
   *
   * @param bytes its size
   * @param all the bytes of the buffers of all members
   */
  public String withoutRoom(long bytes, long all) {
    return directory.withoutRoom(bytes, all);
  }

  /**
   * Makes this member's buffer of the next window, which no other sees yet.
   *
   * @param bytes its size, more than 0
   * @return the buffer, all of it there and zero; to be given to {@link #add} or closed
   * @throws io.nitinol.spi.NetException SYSTEM_ERROR when there is no room
   */
  public SharedRegion create(long bytes) {
    SharedRegion region = SharedRegion.createWhole(directory, bytes, members);
    region.arrive(own);
    return region;
  }

  /**
   * Maps the buffers of the other members and adds the window.
   *
   * @param mine what {@link #create} returned; belongs to this object from now on
   * @param handles each member's handle; this member's is not looked at
   * @return this member's buffer
   * @throws io.nitinol.spi.NetException when one is not there; nothing is left then
   */
  public synchronized MemorySegment add(SharedRegion mine, List<RegionHandle> handles) {
    List<SharedRegion> mapped = new ArrayList<>();
    mapped.add(mine);
    try {
      MemorySegment[] window = new MemorySegment[members];
      for (int member = 0; member < members; member++) {
        SharedRegion region = mine;
        if (member != own) {
          region = SharedRegion.open(directory, handles.get(member), members);
          mapped.add(region);
          region.arrive(own);
        }
        window[member] = region.memory().asSlice(SharedRegion.HEADER);
      }
      if (closed || windows.length == MOST) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            closed
                ? "allocate: the communicator is closed"
                : ErrorText.of(
                    "allocate: the communicator has %d buffers already, which is the most", MOST));
      }
      for (SharedRegion each : mapped) {
        each.prefault();
      }
      MemorySegment[][] more = Arrays.copyOf(windows, windows.length + 1);
      more[windows.length] = window;
      windows = more;
      regions.addAll(mapped);
      return window[own];
    } catch (Throwable e) {
      mapped.forEach(SharedRegion::close);
      throw e;
    }
  }

  /**
   * Gives back what only members to come would need of the last window, which all have added: the
   * files' names and descriptors.
   */
  public synchronized void settleLast() {
    for (int i = Math.max(0, regions.size() - members); i < regions.size(); i++) {
      if (!regions.get(i).completeIfArrived()) {
        throw new IllegalStateException("a member has not added the window yet");
      }
    }
  }

  /** Takes the last window away again, before it was used. */
  public synchronized void removeLast() {
    windows = Arrays.copyOf(windows, windows.length - 1);
    for (int i = 0; i < members; i++) {
      regions.removeLast().close();
    }
  }

  /** Returns the place of {@code bytes} of a buffer of this member, or {@link #NOWHERE}. */
  public long place(MemorySegment buffer, long bytes) {
    long address = buffer.address();
    MemorySegment[][] all = windows;
    for (int window = 0; window < all.length; window++) {
      MemorySegment mine = all[window][own];
      long offset = address - mine.address();
      if (offset >= 0 && offset <= mine.byteSize() - bytes) {
        return (long) (window + 1) << OFFSET_BITS | offset;
      }
    }
    return NOWHERE;
  }

  /**
   * Checks a place that {@code member} has told.
   *
   * @param place not {@link #NOWHERE}
   * @param rank the member's, for the message
   * @throws CommException INVALID_USAGE when there are no {@code bytes} of memory
   */
  public void require(int member, long place, long bytes, int rank) {
    MemorySegment[][] all = windows;
    long window = (place >>> OFFSET_BITS) - 1;
    if (window < 0
        || window >= all.length
        || offset(place) > all[(int) window][member].byteSize() - bytes) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "rank %d works on %d bytes of allocated buffer %d from %d on, which this rank does not"
                  + " see: this rank has %d such buffers; every rank has to call allocate in the"
                  + " same order among its operations",
              rank, bytes, window, offset(place), all.length));
    }
  }

  /** Returns the buffer that {@code member} has in the window of a place. */
  public MemorySegment memory(int member, long place) {
    return windows[(int) (place >>> OFFSET_BITS) - 1][member];
  }

  /** Returns where in {@link #memory} a place is. */
  public static long offset(long place) {
    return place & OFFSET_MASK;
  }

  /** Unmaps everything; no thread may be using a buffer any more. May be called again. */
  public synchronized void close() {
    closed = true;
    windows = new MemorySegment[0][];
    regions.forEach(SharedRegion::close);
    regions.clear();
  }
}
