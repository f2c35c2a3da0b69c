// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a comm that works some of its data streams. It spins for a while, since a thread that
 * is woken comes tens of microseconds late. Then it sleeps until its sockets or the thread that
 * drives the comm have something for it.
 */
final class StreamThread implements Runnable {
  /** The longest sleep on the selector, since a wire that holds bytes back needs a look. */
  private static final long WAIT_MILLIS = 10;

  /** The longest sleep of a thread whose streams have nothing to do. */
  private static final long REST_NANOS = 1_000_000_000;

  /** How many rounds of spinning there are for one look at the clock. */
  private static final int LOOKS = 16;

  private static final VarHandle WAITING;

  static {
    try {
      WAITING = MethodHandles.lookup().findVarHandle(StreamThread.class, "waiting", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final DataStream[] streams;
  private final SelectionKey[] keys;
  private final Thread thread;

  /** Opened when the thread first waits for the network, since it takes two descriptors. */
  private volatile @Nullable Selector selector;

  private final long spinNanos;
  private volatile boolean ended;
  private volatile @Nullable NetException failure;

  @SuppressWarnings("UnusedVariable") // by WAITING
  private boolean waiting;

  /**
   * Creates a thread, which does nothing before {@link #start}.
   *
   * @param spinNanos how long it spins before it sleeps, in nanoseconds
   */
  StreamThread(String name, DataStream[] streams, long spinNanos) {
    this.streams = streams;
    this.spinNanos = spinNanos;
    this.keys = new SelectionKey[streams.length];
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    try {
      long idleSince = 0;
      int looks = 0;
      while (!ended) {
        if (work() > 0) {
          idleSince = 0;
          looks = 0;
        } else if (++looks % LOOKS != 0) {
          Thread.onSpinWait();
        } else {
          long now = System.nanoTime();
          if (idleSince == 0) {
            idleSince = now;
          } else if (now - idleSince >= spinNanos) {
            await();
          } else {
            Thread.yield(); // where processors are few, to the thread that this one waits for
          }
        }
      }
    } catch (NetException e) {
      failure = e;
    } catch (IOException | RuntimeException | Error e) {
      failure =
          new NetException(
              ResultCode.INTERNAL_ERROR,
              ErrorText.of("thread %s has failed: %s", thread.getName(), e),
              e);
    }
  }

  private int work() {
    int moved = 0;
    for (DataStream stream : streams) {
      moved += stream.work();
    }
    return moved;
  }

  /** Waits for the network or {@link #wake}, unless there is something to do after all. */
  private void await() throws IOException {
    WAITING.setVolatile(this, true);
    // The flag is set before the streams are looked at; wake() is called after they have been
    // given something.
    VarHandle.fullFence();
    if (work() == 0 && !ended) {
      boolean busy = false;
      for (DataStream stream : streams) {
        busy |= stream.isBusy();
      }
      if (busy) {
        select();
      } else {
        LockSupport.parkNanos(this, REST_NANOS);
      }
    }
    WAITING.setVolatile(this, false);
  }

  private void select() throws IOException {
    Selector open = selector;
    if (open == null) {
      open = Selector.open();
      selector = open;
      for (int i = 0; i < streams.length; i++) {
        keys[i] = streams[i].wire.register(open);
      }
    }
    for (int i = 0; i < streams.length; i++) {
      int interest = streams[i].isBusy() ? streams[i].interest() : 0;
      if (keys[i].interestOps() != interest) {
        keys[i].interestOps(interest);
      }
    }
    if (!ended) {
      open.select(StreamThread::leave, WAIT_MILLIS);
    }
  }

  /** Does nothing: after a sleep the thread works all streams, whichever woke it. */
  private static void leave(SelectionKey ready) {}

  /** Wakes the thread, after one of its streams has been given something to do. */
  @AnyThread
  void wake() {
    VarHandle.fullFence();
    if ((boolean) WAITING.getVolatile(this)) {
      rouse();
    }
  }

  private void rouse() {
    LockSupport.unpark(thread);
    Selector open = selector;
    if (open != null) {
      open.wakeup();
    }
  }

  /** Returns the failure that has ended the thread, or null. */
  @AnyThread
  @Nullable NetException failure() {
    return failure;
  }

  /** Tells the thread to end. */
  void end() {
    ended = true;
    rouse();
  }

  /**
   * Waits for the end of the thread after {@link #end}.
   *
   * @param nanos the longest wait in nanoseconds
   * @return whether it is gone; if not, its streams may still be in use
   */
  boolean join(long nanos) throws IOException {
    boolean interrupted = Thread.interrupted();
    long deadline = System.nanoTime() + nanos;
    try {
      while (thread.isAlive() && System.nanoTime() - deadline < 0) {
        try {
          thread.join(1);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    boolean gone = !thread.isAlive();
    Selector open = selector;
    if (gone && open != null) {
      open.close();
    }
    return gone;
  }
}
