// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The helping threads of this process, which all its comms share: their number depends on the
 * processors and never on the comms. A stream goes to the thread with the fewest. The threads are
 * started as streams come and end with the last stream.
 */
@AnyThread
final class StreamThreads {
  /** How many threads help by themselves; a comm that asks for more raises it. */
  private static final int USUAL = Math.clamp(Runtime.getRuntime().availableProcessors() / 4, 2, 4);

  private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final StreamThreads PROCESS = new StreamThreads();

  private final List<StreamThread> threads = new ArrayList<>();
  private int streams;
  private int made;

  private StreamThreads() {}

  /** Returns the threads of this process. */
  static StreamThreads process() {
    return PROCESS;
  }

  /**
   * Gives a stream to a thread.
   *
   * @param wanted how many threads the stream's comm asks for
   * @param spinNanos how long a thread that is started for it spins before it rests
   * @return the thread, for {@link #remove}
   */
  synchronized StreamThread add(DataStream stream, int wanted, long spinNanos) {
    StreamThread thread =
        threads.stream().min(Comparator.comparingInt(StreamThread::load)).orElse(null);
    if (thread == null || (thread.load() > 0 && threads.size() < Math.max(USUAL, wanted))) {
      thread = new StreamThread("Socket-" + made, spinNanos);
      thread.start();
      made++;
      threads.add(thread);
    }
    thread.add(stream);
    streams++;
    return thread;
  }

  /**
   * Takes a stream back. The thread may be looking at it for the last time: {@link
   * DataStream#close} tells when it is not.
   *
   * @return whether the threads are gone, where this was the last stream; else true
   */
  synchronized boolean remove(DataStream stream, StreamThread thread) {
    thread.remove(stream);
    if (--streams > 0) {
      return true;
    }
    threads.forEach(StreamThread::end);
    boolean gone = true;
    for (StreamThread each : threads) {
      gone &= each.join(JOIN_NANOS);
    }
    threads.clear();
    return gone;
  }
}
