// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread close something. A thread that closes it meanwhile waits for the first one, since
 * what its caller does next, such as to free a buffer, may need the end and not the begin.
 */
@AnyThread
public final class SingleClose {
  private static final long NOBODY = 0; // no thread's number

  private final AtomicLong closer = new AtomicLong(NOBODY);
  private final CountDownLatch over = new CountDownLatch(1);

  /** What the close has thrown; written before {@link #over} is released. */
  private @Nullable Throwable failure;

  /** Creates one for something that is open. */
  public SingleClose() {}

  /**
   * Returns whether a thread has begun to close.
   *
   * @return true from then on
   */
  public boolean isBegun() {
    return closer.get() != NOBODY;
  }

  /**
   * Closes, if no thread has begun to.
   *
   * @param work closes; what it throws, this throws
   * @param mayWait whether the calling thread may wait for another one that closes; false where
   *     that one may need it
   * @return what the work of another thread has thrown for which this one has waited; null in all
   *     other cases, also where it was over before
   */
  public @Nullable Throwable close(Runnable work, boolean mayWait) {
    long self = Thread.currentThread().threadId();
    if (closer.compareAndSet(NOBODY, self)) {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        failure = e;
        throw e;
      } finally {
        over.countDown();
      }
      return null;
    }
    if (!mayWait || over.getCount() == 0 || closer.get() == self) {
      return null;
    }
    Waits.uninterrupted(() -> {
      over.await();
      return true;
    });
    return failure;
  }
}
