// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.thread.OneThread;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The data streams of one end of a comm. The thread that drives the comm works them; while a thread
 * of {@link StreamThreads} is awake, that one works the streams that it has been given.
 */
@OneThread
public final class DataStreams {
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A message of so many bytes is worth the call that wakes a thread. */
  private static final long WORTH_WAKING = 256 << 10;

  private final DataStream[] streams;
  private final @Nullable StreamThread[] helpers;
  private int first;
  private boolean over;

  /**
   * Takes over streams.
   *
   * @param threads how many threads may help; with fewer than 2 none does, since the thread that
   *     drives the comm would only wait for it
   * @param spinNanos how long the threads spin before they rest, in nanoseconds
   */
  public DataStreams(DataStream[] streams, int threads, long spinNanos) {
    this.streams = streams;
    this.helpers = new @Nullable StreamThread[streams.length];
    try {
      for (int i = 0; i < streams.length && threads > 1; i++) {
        helpers[i] = StreamThreads.process().add(streams[i], threads, spinNanos);
      }
    } catch (Throwable e) { // the limit of threads is reached
      end();
      throw e;
    }
  }

  /** Returns how many of the streams have a thread that may help. */
  public int helped() {
    int count = 0;
    for (StreamThread helper : helpers) {
      count += helper == null ? 0 : 1;
    }
    return count;
  }

  /**
   * Moves the data of streams that no other thread looks after. Each has its turn, and the next
   * call begins behind the last one that had.
   *
   * @param most after so many bytes no further stream has a turn
   * @return how many bytes moved, perhaps {@code most} and those of one turn
   */
  public long work(long most) {
    long moved = 0;
    for (int turns = 0; turns < streams.length && moved < most; turns++) {
      StreamThread helper = helpers[first];
      if (helper == null) {
        moved += streams[first].work();
      } else if (!helper.isAwake()) {
        int part = streams[first].work();
        moved += part;
        if (part > 0 && streams[first].isBusy()) {
          helper.wake();
        }
      }
      first = first + 1 == streams.length ? 0 : first + 1;
    }
    return moved;
  }

  /** Asks the thread of one stream for help with a message of so many bytes. */
  public void wake(int index, long bytes) {
    StreamThread helper = helpers[index];
    if (helper != null && bytes >= WORTH_WAKING) {
      helper.wake();
    }
  }

  /** Asks all threads for help with a message of so many bytes. */
  public void wakeAll(long bytes) {
    for (int i = 0; i < streams.length; i++) {
      wake(i, bytes);
    }
  }

  /** Throws the failure that a helping thread met, if there is one. */
  public void check() {
    for (DataStream stream : streams) {
      stream.check();
    }
  }

  /**
   * Sends the helping threads away and gives the buffers back; afterwards no thread touches the
   * memory of messages. A second call does nothing.
   *
   * @throws NetException when a thread does not leave a stream, or does not end, within seconds
   */
  public void end() {
    if (over) {
      return;
    }
    over = true;
    boolean gone = true;
    for (int i = 0; i < streams.length; i++) {
      StreamThread helper = helpers[i];
      if (helper != null) {
        gone &= StreamThreads.process().remove(streams[i], helper);
      }
    }
    for (DataStream stream : streams) {
      gone &= close(stream);
    }
    if (!gone) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR, "a thread that helps with data streams does not end");
    }
    for (DataStream stream : streams) {
      stream.release();
    }
  }

  /** Waits for a helping thread's turn, which is a few calls that do not wait. */
  private static boolean close(DataStream stream) {
    long deadline = System.nanoTime() + CLOSE_NANOS;
    while (!stream.close()) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      Thread.yield();
    }
    return true;
  }
}
