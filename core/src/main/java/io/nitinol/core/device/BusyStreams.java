// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The streams with work since the last wait for each: few, so a list. Where nobody waits, streams
 * that are done or closed make room. One thread adds; any thread looks and removes.
 */
@AnyThread
final class BusyStreams {
  /** More than an application uses beside each other. */
  private static final int MANY = 16;

  /** Guarded by itself. */
  private final List<DeviceStream> streams = new ArrayList<>();

  /** How many there may be before those that are done go; guarded by streams. */
  private int room = MANY;

  /** Two that are in the list, so that a loop over one or two takes no lock; null where unknown. */
  private volatile @Nullable DeviceStream newest;

  private volatile @Nullable DeviceStream other;

  /** Called before a launch into {@code stream}. */
  @OneThread
  void add(DeviceStream stream) {
    if (stream.equals(newest) || stream.equals(other)) {
      return;
    }
    synchronized (streams) {
      other = newest;
      if (!streams.contains(stream)) {
        if (streams.size() >= room) {
          other = null; // it may go
          streams.removeIf(BusyStreams::isOver);
          room = Math.max(MANY, 2 * streams.size()); // so that looks stay few for each launch
        }
        streams.add(stream);
      }
      newest = stream;
    }
  }

  /** Returns whether a stream has nothing to do any more, or is closed. */
  private static boolean isOver(DeviceStream stream) {
    try {
      return !stream.isCapturing() && stream.query();
    } catch (DeviceException e) {
      return true; // nobody can wait for it either
    }
  }

  /**
   * Removes a stream, whose work is done.
   *
   * @param unless asked first, when a launch that begins takes the lock: whether it has new work
   * @param last called where it is removed and no other is left, before a launch can add one
   */
  void remove(DeviceStream stream, BooleanSupplier unless, Runnable last) {
    synchronized (streams) {
      newest = null;
      other = null;
      if (unless.getAsBoolean()) {
        return;
      }
      streams.remove(stream);
      if (streams.isEmpty()) {
        last.run();
      }
    }
  }

  /** Returns the streams. */
  List<DeviceStream> list() {
    synchronized (streams) {
      return List.copyOf(streams);
    }
  }
}
