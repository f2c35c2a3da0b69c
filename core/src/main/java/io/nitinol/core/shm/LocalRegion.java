// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one process. It is found by its token, and freed when the last view is closed: a rank
 * that has failed may close while the others still work.
 */
final class LocalRegion extends SharedRegion {
  private static final ConcurrentMap<RegionHandle, Owned> WAITING = new ConcurrentHashMap<>();

  /** The memory and how many views it has. */
  private static final class Owned {
    final LocalSlab.Piece piece;
    final @Nullable Object attachment;
    private int views = 1;

    Owned(long size, @Nullable Object attachment) {
      this.piece = LocalSlab.allocate(size);
      this.attachment = attachment;
    }

    synchronized boolean join() {
      if (views == 0) {
        return false;
      }
      views++;
      return true;
    }

    synchronized void leave() {
      views--;
      if (views == 0) {
        piece.release();
      }
    }
  }

  private final Owned owned;
  private boolean closed;

  private LocalRegion(RegionHandle handle, int users, Owned owned) {
    super(handle, users);
    this.owned = owned;
  }

  static LocalRegion create(RegionHandle handle, int users, @Nullable Object attachment) {
    Owned owned;
    try {
      owned = new Owned(handle.size(), attachment);
    } catch (OutOfMemoryError e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "no room for " + handle.size() + " bytes that ranks of this process share: " + e,
          e);
    }
    WAITING.put(handle, owned);
    return new LocalRegion(handle, users, owned);
  }

  static LocalRegion join(RegionHandle handle, int users) {
    Owned owned = WAITING.get(handle);
    if (owned == null || !owned.join()) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "there are no %s as offered: the rank that did has given up, or is in another "
                  + "process with the same identity",
              handle));
    }
    return new LocalRegion(handle, users, owned);
  }

  @Override
  public MemorySegment memory() {
    return owned.piece.memory();
  }

  @Override
  public @Nullable Object attachment() {
    return owned.attachment;
  }

  @Override
  public void allocate(long offset, long bytes) {
    // The allocation has written zeroes, so the pages are there.
  }

  @Override
  public void prefault() {
    // They are.
  }

  @Override
  void complete() {
    WAITING.remove(handle(), owned);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      complete();
      owned.leave();
    }
  }
}
