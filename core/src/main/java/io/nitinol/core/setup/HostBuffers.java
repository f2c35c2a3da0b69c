// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.shm.RegionHandle;
import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.team.HostWindows;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that a communicator gives to its application. Where its ranks are processes of one
 * host that may share memory, each buffer is seen by all of them, and operations work on it in
 * place; elsewhere it is ordinary memory. Freed when the communicator is closed.
 */
@AnyThread
final class HostBuffers {
  private static final byte GOOD = 0;
  private static final byte BAD = 1;
  private static final int MOST_WORDS = 400;
  private static final int ALIGNMENT = 4096;

  private final Bootstrap bootstrap;
  private final @Nullable HostWindows windows;

  /** Held by the thread that allocates, which waits for the other ranks meanwhile. */
  private final ReentrantLock allocating = new ReentrantLock();

  private boolean underWay; // guarded by this
  private boolean closed; // guarded by this
  private boolean idle; // guarded by this

  /** The memory of buffers that no other rank sees. */
  private final List<Arena> arenas = new ArrayList<>(); // guarded by this

  /**
   * Creates a set without buffers.
   *
   * @param windows where buffers become known; null where ranks do not see each other's
   */
  HostBuffers(Bootstrap bootstrap, @Nullable HostWindows windows) {
    this.bootstrap = bootstrap;
    this.windows = windows;
  }

  /**
   * Allocates a buffer; all ranks do so at once, each as much as it wants.
   *
   * @param bytes more than 0
   * @throws CommException SYSTEM_ERROR when some rank has no room, on all of them; nothing is left
   *     then, and the communicator goes on; INVALID_USAGE when another thread closes meanwhile
   * @throws BootstrapException when a rank does not come, or has failed
   */
  MemorySegment allocate(long bytes) {
    HostWindows shared = windows;
    allocating.lock();
    try {
      begin();
      MemorySegment buffer;
      try {
        buffer = shared == null ? allocateOwn(bytes) : allocateShared(shared, bytes);
      } finally {
        end();
      }
      requireOpen();
      return buffer;
    } finally {
      allocating.unlock();
    }
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new CommException(
          ResultCode.INVALID_USAGE, "allocate: another thread has closed the communicator");
    }
  }

  private synchronized void begin() {
    requireOpen();
    underWay = true;
  }

  private synchronized void end() {
    underWay = false;
    if (closed) {
      free();
    }
  }

  /**
   * Allocates what only this rank sees; no rank goes on with a buffer that another does not get.
   */
  private MemorySegment allocateOwn(long bytes) {
    Arena own = Arena.ofShared();
    boolean agreed = false;
    try {
      MemorySegment buffer = null;
      byte[] word = {GOOD};
      try {
        buffer = reserve(own, bytes);
      } catch (OutOfMemoryError e) {
        word =
            words(
                ErrorText.of(
                    "cannot get %d bytes of memory: %s; all that a process has of this kind is"
                        + " limited by -XX:MaxDirectMemorySize, by default the size of its heap",
                    bytes, e.getMessage()));
      }
      byte[][] words = exchange(word);
      if (buffer == null || worst(words) >= 0) {
        throw failure(words);
      }
      synchronized (this) {
        arenas.add(own);
      }
      agreed = true;
      return buffer;
    } finally {
      if (!agreed) {
        own.close();
      }
    }
  }

  private static MemorySegment reserve(Arena arena, long bytes) {
    if (bytes > Long.MAX_VALUE - ALIGNMENT) { // which Java would add
      throw new OutOfMemoryError("no address is as large");
    }
    return arena.allocate(bytes, ALIGNMENT);
  }

  private MemorySegment allocateShared(HostWindows shared, long bytes) {
    requireRoom(shared, bytes);
    SharedRegion mine = null;
    byte[] word;
    try {
      mine = shared.create(bytes);
      word = framed(GOOD, mine.handle().toBytes());
    } catch (NetException | ArithmeticException e) {
      word = words(e);
    } catch (OutOfMemoryError e) {
      word = words(ErrorText.of("cannot get %d bytes of memory: %s", bytes, e.getMessage()));
    }
    try {
      byte[][] words = exchange(word);
      if (mine == null || worst(words) >= 0) {
        throw failure(words);
      }
      SharedRegion known = mine;
      mine = null; // the window's from here on
      return add(shared, known, words);
    } finally {
      if (mine != null) {
        mine.close();
      }
    }
  }

  /**
   * Refuses what the directory has no room for, before any rank takes a part of it: the memory may
   * be that of everybody. All ranks come to the same end.
   */
  private void requireRoom(HostWindows shared, long bytes) {
    RoomWish[] wishes = RoomWish.fromBytes(exchange(new RoomWish(bytes, shared.room()).toBytes()));
    int rank = RoomWish.firstWithoutRoom(wishes);
    if (rank >= 0) {
      throw new CommException(
          ResultCode.SYSTEM_ERROR,
          rank,
          ErrorText.of(
              "allocate: rank %d: %s",
              rank, shared.withoutRoom(wishes[rank].bytes(), RoomWish.total(wishes))),
          null);
    }
  }

  private MemorySegment add(HostWindows shared, SharedRegion mine, byte[][] handles) {
    MemorySegment buffer = null;
    byte[] word = {GOOD};
    try {
      List<RegionHandle> regions = new ArrayList<>();
      for (byte[] each : handles) {
        regions.add(RegionHandle.of(unframed(each)));
      }
      buffer = shared.add(mine, regions);
    } catch (NetException | CommException e) {
      mine.close();
      word = words(e);
    }
    // Nobody uses the window before all have it: they would not agree on what they see.
    boolean agreed = false;
    try {
      byte[][] words = exchange(word);
      if (buffer == null || worst(words) >= 0) {
        throw failure(words);
      }
      shared.settleLast();
      agreed = true;
      return buffer;
    } finally {
      if (!agreed && buffer != null) {
        shared.removeLast();
      }
    }
  }

  private byte[][] exchange(byte[] word) {
    int[] all = IntStream.range(0, bootstrap.size()).toArray();
    return bootstrap.allGather(all, Tags.ALLOCATE, word);
  }

  private static byte[] framed(byte first, byte[] rest) {
    byte[] all = new byte[1 + rest.length];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  private static byte[] unframed(byte[] all) {
    byte[] rest = new byte[Math.max(0, all.length - 1)];
    System.arraycopy(all, Math.min(1, all.length), rest, 0, rest.length);
    return rest;
  }

  private static byte[] words(RuntimeException e) {
    return words(String.valueOf(e.getMessage()));
  }

  private static byte[] words(String text) {
    String cut = text.substring(0, Math.min(MOST_WORDS, text.length()));
    return framed(BAD, cut.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the first rank that could not; -1 where all could. */
  private static int worst(byte[][] words) {
    for (int rank = 0; rank < words.length; rank++) {
      if (words[rank].length == 0 || words[rank][0] != GOOD) {
        return rank;
      }
    }
    return -1;
  }

  private static CommException failure(byte[][] words) {
    int rank = worst(words);
    return new CommException(
        ResultCode.SYSTEM_ERROR,
        rank,
        ErrorText.of(
            "allocate: rank %d: %s",
            rank, new String(unframed(words[rank]), StandardCharsets.UTF_8)),
        null);
  }

  /**
   * Frees all buffers. Does not wait for a thread that allocates, which would wait for the other
   * ranks until the bootstrap is closed: that thread frees them then.
   *
   * @param isIdle whether no thread can be using one any more; they stay for the life of the
   *     process where one can
   */
  synchronized void close(boolean isIdle) {
    closed = true;
    idle = isIdle;
    if (!underWay) {
      free();
    }
  }

  private synchronized void free() {
    if (idle) {
      if (windows != null) {
        windows.close();
      }
      arenas.forEach(Arena::close);
      arenas.clear();
    }
  }
}
