// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a comm that works some of its data streams. It looks again at once for a while, since
 * a thread that is woken comes tens of microseconds late; then it waits until its sockets or the
 * driver of the comm have something for it.
 */
final class StreamThread implements Runnable {
  /** The longest wait, so that nothing is missed for long where a wire holds bytes back. */
  private static final long WAIT_MILLIS = 10;

  /** The longest wait of a thread that has nothing to wait for but to be woken. */
  private static final long REST_NANOS = 1_000_000_000;

  /** How many looks there are for one at the clock. */
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

  /** Made when the thread first waits for the network: it takes two descriptors. */
  private volatile @Nullable Selector selector;

  private final long spinNanos;
  private volatile boolean ended;
  private volatile @Nullable NetException failure;

  @SuppressWarnings("UnusedVariable") // by WAITING
  private boolean waiting;

  /**
   * Creates a thread, which does nothing before {@link #start}.
   *
   * @param spinNanos how long it looks again before it waits
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
            Thread.yield(); // where processors are few, to what this one waits for
          }
        }
      }
    } catch (NetException e) {
      failure = e;
    } catch (IOException | RuntimeException | Error e) {
      failure =
          new NetException(
              ResultCode.INTERNAL_ERROR, "thread " + thread.getName() + " has failed: " + e, e);
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
    // Between the flag and the look; who has something to do gives it first and then looks here.
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

  /** All streams are looked at after a wait, whichever of them ended it. */
  private static void leave(SelectionKey ready) {}

  /** Makes the thread look, after it has been given something to do. Any thread. */
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

  /** Returns what ended the thread, or null. Any thread. */
  @Nullable NetException failure() {
    return failure;
  }

  /** Tells the thread to end. */
  void end() {
    ended = true;
    rouse();
  }

  /**
   * Waits for the end of the thread, which has been told to.
   *
   * @return whether it is gone; its streams may still be in use if not
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
