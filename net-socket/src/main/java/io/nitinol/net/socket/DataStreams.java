// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The data streams of one end of a comm, and the threads that work them; without threads the driver
 * of the comm does. Called by the driver.
 */
final class DataStreams {
  private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final DataStream[] streams;
  private final StreamThread[] threads;
  private boolean over;

  /**
   * Takes over streams and starts threads.
   *
   * @param name what the threads are named after
   * @param threadCount how many threads; fewer than 2 leave the streams to the driver, which has
   *     nothing else to do with its time
   */
  DataStreams(String name, DataStream[] streams, int threadCount, long spinNanos) {
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

  /** Returns how many threads of the comm work the streams; 0: its driver does. */
  int threads() {
    return threads.length;
  }

  /** Works the streams where no thread does; returns how many bytes moved. */
  int work() {
    int moved = 0;
    if (threads.length == 0) {
      for (DataStream stream : streams) {
        moved += stream.work();
      }
    }
    return moved;
  }

  /** Wakes the thread of one stream. */
  void wake(int index) {
    if (threads.length > 0) {
      threads[index % threads.length].wake();
    }
  }

  /** Wakes all threads. */
  void wakeAll() {
    for (StreamThread thread : threads) {
      thread.wake();
    }
  }

  /** Throws what has ended a thread, if anything has. */
  void check() {
    for (StreamThread thread : threads) {
      NetException failure = thread.failure();
      if (failure != null) {
        throw failure;
      }
    }
  }

  /**
   * Ends the threads and gives the buffers back; afterwards nobody touches the memory of messages.
   * What is done already is not done again.
   *
   * @throws NetException when a thread has not ended within seconds
   */
  void end() {
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
