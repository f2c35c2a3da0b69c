// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.core.CommException;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listeners that a communicator tells that it stops, and the one that it tells why. The thread
 * that learns it calls each of them, once and under no lock.
 */
@AnyThread
final class StopListeners {
  /** To be told that it stops; guarded by itself. */
  private final List<Runnable> listeners = new ArrayList<>();

  private boolean stopped; // guarded by listeners

  /** Told of the failure; null when it was, or where nobody asks. */
  private final AtomicReference<@Nullable Consumer<CommException>> verdictListener =
      new AtomicReference<>();

  /** Adds a listener, or calls it where the others have been called. */
  void add(Runnable listener) {
    boolean now;
    synchronized (listeners) {
      now = stopped;
      if (!now) {
        listeners.add(listener);
      }
    }
    if (now) {
      listener.run();
    }
  }

  /** Takes back {@link #add}; the listener may be under way. */
  void forget(Runnable listener) {
    synchronized (listeners) {
      listeners.remove(listener);
    }
  }

  /**
   * Calls the listeners that have not been called, and from now on each that is added.
   *
   * @param broken is given what one of them throws: the others have to be called, and the caller
   *     has to go on
   */
  void tell(Consumer<Throwable> broken) {
    List<Runnable> told;
    synchronized (listeners) {
      stopped = true;
      told = List.copyOf(listeners);
      listeners.clear();
    }
    for (Runnable listener : told) {
      try {
        listener.run();
      } catch (RuntimeException | Error e) {
        broken.accept(e);
      }
    }
  }

  /** Sets the listener of the verdict. Before {@link #tellVerdict} of one that is known already. */
  void onVerdict(Consumer<CommException> listener) {
    verdictListener.set(listener);
  }

  /**
   * Tells the verdict, if it is there and has not been told.
   *
   * @param known the verdict, or null; read behind {@link #onVerdict}
   * @param broken is given what the listener throws: the caller is about to tell the failure, and
   *     must
   */
  void tellVerdict(@Nullable CommException known, Consumer<Throwable> broken) {
    if (known != null) {
      Consumer<CommException> listener = verdictListener.getAndSet(null);
      if (listener != null) {
        try {
          listener.accept(known);
        } catch (RuntimeException | Error e) {
          broken.accept(e);
        }
      }
    }
  }
}
