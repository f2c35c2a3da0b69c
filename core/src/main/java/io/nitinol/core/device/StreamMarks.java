// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OneThread;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Tells how far the work of a communicator has come, without the cost of an event for each launch:
 * it puts one into the stream before the first launch after a wait, before every {@value #EVERY}th
 * after that, and before one that follows on {@value #LARGE} bytes without a mark. One thread
 * launches; any thread looks.
 */
final class StreamMarks {
  private static final int EVERY = 32;

  /** So many bytes take a device long enough that an event costs nothing beside them. */
  private static final long LARGE = 16L << 20;

  /**
   * More than the launches that a driver queues, each of which may have a mark. All are made at the
   * beginning: a driver that makes room for one more event may wait for the device, where a kernel
   * waits for a rank whose launch would come next.
   */
  private static final int KEPT = 2048;

  private final AtomicReferenceArray<@Nullable DeviceEvent> ring = new AtomicReferenceArray<>(KEPT);

  /** How many marks were put in. */
  private volatile long recorded;

  /** How many of them the stream has passed, as far as anybody has looked. */
  private final AtomicLong passed = new AtomicLong();

  /** The number of the mark before the first launch since the last complete wait. */
  private volatile long first;

  /** Launches since the last complete wait, as the launching thread counts them. */
  private volatile int launches;

  /** Bytes of launches since the newest mark, at most {@link #LARGE}; the launching thread's. */
  private long unmarked;

  /** Whether launches were recorded into graphs, which do more later than is known here. */
  private volatile boolean captured;

  StreamMarks(Device device) {
    try {
      for (int i = 0; i < KEPT; i++) {
        ring.set(i, device.createEvent(false));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Called before a launch into {@code stream}.
   *
   * @param bytes how many it moves, about
   */
  @OneThread
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread launches; a wait beside it may reset
  void launching(DeviceStream stream, long bytes) {
    int before = launches;
    if (before % EVERY == 0 || unmarked >= LARGE) {
      if (stream.isCapturing()) {
        captured = true;
        return;
      }
      long number = recorded;
      DeviceEvent event = ring.get((int) (number % KEPT));
      if (event == null) {
        return; // closed
      }
      stream.record(event);
      if (before == 0) {
        first = number;
      }
      recorded = number + 1;
      unmarked = 0;
    }
    unmarked = bytes >= LARGE ? LARGE : Math.min(LARGE, unmarked + bytes);
    launches = before + 1;
  }

  /** Called when all work of a stream has been waited for. */
  @AnyThread
  void awaited() {
    if (launches != 0) {
      launches = 0;
    }
  }

  /** Returns how many marks have been passed: it grows while work is done. */
  @AnyThread
  long passed() {
    long last = recorded;
    long next = Math.max(passed.get(), last - KEPT);
    while (next < last) {
      DeviceEvent event = ring.get((int) (next % KEPT));
      if (event == null || !event.query()) {
        break;
      }
      next++;
    }
    long reached = next;
    return passed.accumulateAndGet(reached, Math::max);
  }

  /**
   * Returns whether a stream has not even come to the first launch since the last wait, since it
   * has other work before it. Never where graphs may have launches.
   */
  @AnyThread
  boolean isBeforeFirst() {
    return !captured && launches > 0 && passed() <= first && first < recorded;
  }

  /** Frees the events. */
  void close() {
    for (int i = 0; i < KEPT; i++) {
      DeviceEvent event = ring.getAndSet(i, null);
      if (event != null) {
        event.close();
      }
    }
  }
}
