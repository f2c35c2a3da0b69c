// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.spi.NetException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.security.SecureRandom;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a fixed number of ranks of one host use together. One creates it and tells the others
 * the {@link #handle}; each allocates what it will write, {@link #arrive}s, and waits until the
 * region is complete. From then on every byte is there for good: no access can fail for want of
 * memory.
 *
 * <p>The first {@link #HEADER} bytes are the region's own; all are zero at first. Each rank closes
 * its own view, in any order: what one rank closes the others can go on using. A view belongs to
 * one thread at a time, but for the memory.
 */
public abstract sealed class SharedRegion implements AutoCloseable permits FileRegion, LocalRegion {
  /** Bytes in front that are not the users'. */
  public static final long HEADER = 4096;

  static final long MAGIC = 0x4e69_7469_6e6f_6c31L;
  static final long SIZE_AT = 8;
  static final long HIGH_AT = 16;
  static final long LOW_AT = 24;

  /** How many users have arrived, on a line of its own. */
  private static final long ARRIVED_AT = 256;

  /** Which ones, a bit each, in the rest of the header. */
  private static final long WHO_AT = 512;

  private static final int MOST_NAMED = (int) (HEADER - WHO_AT) * 8;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final SecureRandom RANDOM = new SecureRandom();

  private final RegionHandle handle;
  private final int users;

  SharedRegion(RegionHandle handle, int users) {
    this.handle = handle;
    this.users = users;
  }

  /**
   * Creates memory for ranks of one process, all of it allocated.
   *
   * @param size bytes, {@link #HEADER} included
   * @param users how many views there will be, this one included
   * @param attachment what the views share beside the memory, or null
   */
  public static SharedRegion createLocal(long size, int users, @Nullable Object attachment) {
    return LocalRegion.create(
        new RegionHandle(size, RANDOM.nextLong(), RANDOM.nextLong(), ""), users, attachment);
  }

  /**
   * Creates a file in {@code directory}, of which only the header is allocated.
   *
   * @param size bytes, {@link #HEADER} included
   * @param users how many views there will be, this one included
   * @throws NetException SYSTEM_ERROR when there is no room or no such directory
   */
  public static SharedRegion createFile(ShmDirectory directory, long size, int users) {
    return FileRegion.create(
        directory, size, users, RANDOM::nextLong, RANDOM.nextLong(), RANDOM.nextLong());
  }

  /**
   * As {@link #createFile}, with all that the creator allocates in it: what there is no room for is
   * not begun, since it would take the memory of everybody first.
   *
   * @param bytes to allocate behind the header
   * @param users how many views there will be, this one included
   * @throws NetException SYSTEM_ERROR when there is no room or no such directory
   */
  public static SharedRegion createWhole(ShmDirectory directory, long bytes, int users) {
    FileRegion.requireRoom(directory, bytes);
    SharedRegion region = createFile(directory, Math.addExact(HEADER, bytes), users);
    try {
      region.allocate(HEADER, bytes);
      return region;
    } catch (Throwable e) {
      region.close();
      throw e;
    }
  }

  /**
   * Opens the region that another rank has created.
   *
   * @param users how many views there will be, as the creator said
   * @throws NetException REMOTE_ERROR when it is not there, not any more perhaps; SYSTEM_ERROR when
   *     it is not the one that the handle means
   */
  public static SharedRegion open(ShmDirectory directory, RegionHandle handle, int users) {
    return handle.isLocal()
        ? LocalRegion.join(handle, users)
        : FileRegion.join(directory, handle, users);
  }

  /** Returns what the others need to {@link #open} it. */
  public final RegionHandle handle() {
    return handle;
  }

  /** Returns the memory, header included, until this view is closed. */
  public abstract MemorySegment memory();

  /** Returns what the creator has attached; null where the users are different processes. */
  public abstract @Nullable Object attachment();

  /** Returns whether all users are of this process. */
  public final boolean isLocal() {
    return handle.isLocal();
  }

  /**
   * Makes sure that {@code bytes} from {@code offset} are really there, near the processor that
   * this thread runs on. They must not have been written to. Before {@link #arrive}.
   *
   * @throws NetException SYSTEM_ERROR when there is no room
   */
  public abstract void allocate(long offset, long bytes);

  /**
   * Names the user that {@link #arrive}s, so that those that wait can tell which one is missing.
   *
   * @param user its number, from 0
   */
  public final void arrive(int user) {
    LONG.getAndBitwiseOr(memory(), arrivedWord(user), 1L << user);
    arrive();
  }

  /** Returns whether {@code user} has arrived, if all say which they are. */
  public final boolean hasArrived(int user) {
    return ((long) LONG.getAcquire(memory(), arrivedWord(user)) & (1L << user)) != 0;
  }

  private long arrivedWord(int user) {
    return WHO_AT + (long) Objects.checkIndex(user, Math.min(users, MOST_NAMED)) / 64 * Long.BYTES;
  }

  /** Announces that this user has mapped the region and allocated its part. To be called once. */
  public final void arrive() {
    if ((long) LONG.getAndAdd(memory(), ARRIVED_AT, 1L) == users - 1) {
      complete();
    }
  }

  /**
   * Takes away what only users to come need, such as the name, once all have arrived; never waits.
   *
   * @return whether all have
   */
  public final boolean completeIfArrived() {
    if ((long) LONG.getAcquire(memory(), ARRIVED_AT) < users) {
      return false;
    }
    complete();
    return true;
  }

  /** Maps all pages now rather than when each is first used. Once it is complete. */
  public abstract void prefault();

  /** Takes the name away, and what else only users to come need. May be called again. */
  abstract void complete();

  /** Ends this view, and the name where not all have arrived. May be called again. */
  @Override
  public abstract void close();
}
