// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The data streams of one end of a comm, and the threads that work them; without threads the thread
 * that drives the comm does.
 */
@OneThread
public final class DataStreams {
  private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final DataStream[] streams;
  private final StreamThread[] threads;
  private int first;
  private boolean over;

  /**
   * Takes over streams and starts threads.
   *
   * @param name the prefix of the threads' names
   * @param threadCount how many threads; fewer than 2 leave the streams to the thread that drives
   *     the comm, since it would only wait for the other thread
   * @param spinNanos how long the threads spin before they sleep, in nanoseconds
   */
  public DataStreams(String name, DataStream[] streams, int threadCount, long spinNanos) {
    this.streams = streams;
    int count = threadCount < 2 ? 0 : Math.min(threadCount, streams.length);
    this.threads = new StreamThread[count];
    for (int i = 0; i < count; i++) {
      threads[i] = new StreamThread(name + "-" + i, share(streams, i, count), spinNanos);
    }
    try {
      for (StreamThread thread : threads) {
        thread.start();
      }
    } catch (Throwable e) { // the limit of threads is reached
      end();
      throw e;
    }
  }

  /** Stream {@code i} belongs to thread {@code i} modulo their number. */
  private static DataStream[] share(DataStream[] streams, int thread, int count) {
    DataStream[] share = new DataStream[Math.ceilDiv(streams.length - thread, count)];
    for (int i = 0; i < share.length; i++) {
      share[i] = streams[thread + i * count];
    }
    return share;
  }

  /** Returns how many threads of its own the comm has; 0 where the thread that drives it works. */
  public int threads() {
    return threads.length;
  }

  /**
   * Moves data where the comm has no threads for it. Each stream has its turn, and the next call
   * begins behind the last one that had.
   *
   * @param most after so many bytes no further stream has a turn
   * @return how many bytes moved, perhaps {@code most} and those of one turn
   */
  public long work(long most) {
    long moved = 0;
    if (threads.length == 0) {
      for (int turns = 0; turns < streams.length && moved < most; turns++) {
        moved += streams[first].work();
        first = first + 1 == streams.length ? 0 : first + 1;
      }
    }
    return moved;
  }

  /** Wakes the thread of one stream. */
  public void wake(int index) {
    if (threads.length > 0) {
      threads[index % threads.length].wake();
    }
  }

  /** Wakes all threads. */
  public void wakeAll() {
    for (StreamThread thread : threads) {
      thread.wake();
    }
  }

  /** Throws the failure that has ended a thread, if there is one. */
  public void check() {
    for (StreamThread thread : threads) {
      NetException failure = thread.failure();
      if (failure != null) {
        throw failure;
      }
    }
  }

  /**
   * Ends the threads and gives the buffers back; afterwards no thread touches the memory of
   * messages. A second call does nothing.
   *
   * @throws NetException when a thread has not ended within seconds
   */
  public void end() {
    if (over) {
      return;
    }
    over = true;
    for (StreamThread thread : threads) {
      thread.end();
    }
    boolean gone = true;
    IOException problem = null;
    for (StreamThread thread : threads) {
      try {
        gone &= thread.join(JOIN_NANOS);
      } catch (IOException e) {
        problem = e;
      }
    }
    if (!gone || problem != null) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          gone
              ? "cannot close the selector of data streams"
              : "a thread of data streams does not end",
          problem);
    }
    for (DataStream stream : streams) {
      stream.release();
    }
  }
}
