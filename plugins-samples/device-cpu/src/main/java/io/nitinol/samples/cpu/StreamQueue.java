// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one stream in their order. Outlives the stream's close until it is empty. Safe
 * for any thread; one worker at a time goes on with it.
 */
final class StreamQueue {
  private static final int MOST_IN_ONE_GO = 64;

  private final ArrayDeque<StreamOperation> pending = new ArrayDeque<>();
  private final String owner;
  private boolean taken;
  private long put;
  private long done;
  private @Nullable DeviceException failure;

  /** The run under way; for the worker that has this queue. */
  private @Nullable StreamWork current;

  StreamQueue(String owner) {
    this.owner = owner;
  }

  void put(StreamOperation operation) {
    synchronized (this) {
      pending.add(operation);
      put++;
      if (taken) {
        return;
      }
      taken = true;
    }
    Workers.INSTANCE.take(this);
  }

  /** Goes on with the oldest operations; for a worker. DONE means that it leaves the workers. */
  StreamWork.Progress advance() {
    boolean moved = false;
    for (int i = 0; i < MOST_IN_ONE_GO; i++) {
      StreamWork work = current;
      if (work == null) {
        StreamOperation next = next();
        if (next == null) {
          return StreamWork.Progress.DONE;
        }
        work = begin(next);
        current = work;
      }
      StreamWork.Progress progress = goOn(work);
      if (progress == StreamWork.Progress.BLOCKED) {
        return moved ? StreamWork.Progress.MORE : StreamWork.Progress.BLOCKED;
      }
      moved = true;
      if (progress == StreamWork.Progress.DONE) {
        current = null;
        finished();
      }
    }
    return StreamWork.Progress.MORE;
  }

  private synchronized @Nullable StreamOperation next() {
    StreamOperation next = pending.poll();
    if (next == null) {
      taken = false;
    }
    return next;
  }

  private synchronized void finished() {
    done++;
    notifyAll();
  }

  private StreamWork begin(StreamOperation operation) {
    DeviceException earlier = failure();
    if (earlier != null) {
      operation.skip(earlier);
      return StreamWork.NONE;
    }
    try {
      return operation.begin();
    } catch (RuntimeException | Error e) {
      fail(e);
      return StreamWork.NONE;
    }
  }

  private StreamWork.Progress goOn(StreamWork work) {
    try {
      return work.advance();
    } catch (RuntimeException | Error e) { // an InternalError: a mapped file was cut short
      fail(e);
      return StreamWork.Progress.DONE;
    }
  }

  private synchronized void fail(Throwable cause) {
    failure =
        cause instanceof DeviceException known
            ? known
            : CpuFailures.of(
                DeviceFailure.DRIVER_ERROR, cause, "work of %s failed: %s", owner, cause);
  }

  synchronized @Nullable DeviceException failure() {
    return failure;
  }

  /** Returns whether all that was put in so far is done, or throws what has failed. */
  synchronized boolean query() {
    if (failure != null) {
      throw CpuFailures.again(failure);
    }
    return done == put;
  }

  synchronized boolean synchronize(long timeoutNanos) {
    long target = put;
    CpuDeadline deadline = new CpuDeadline(timeoutNanos);
    while (done < target && failure == null) {
      if (!deadline.waitOn(this)) {
        break;
      }
    }
    return failure == null ? done >= target : query();
  }
}
