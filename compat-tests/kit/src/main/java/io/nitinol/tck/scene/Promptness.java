// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.tck.session.RunDelay;
import io.nitinol.tck.session.TestSession;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures calls that must never wait. A machine that is busy makes a call slow once, a plugin that
 * waits each time.
 */
public final class Promptness {
  /** The CALL bound of the contract, in nanoseconds. */
  public static final long CALL = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int ATTEMPTS = 3;

  private long slowest;

  private Promptness() {}

  /**
   * Runs a scene whose calls have to be prompt. If one is not, the scene is repeated, since the
   * machine may be the reason.
   *
   * @param what the calls in words
   * @param scene makes the calls by the stopwatch
   */
  public static void check(TestSession session, String what, Consumer<Promptness> scene) {
    long fastest = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && fastest > CALL; attempt++) {
      Promptness watch = new Promptness();
      scene.accept(watch);
      fastest = Math.min(fastest, watch.slowest);
    }
    session.check(
        fastest <= CALL,
        "%s took %d ms or more in each of %d attempts, at most %d are allowed",
        what,
        TimeUnit.NANOSECONDS.toMillis(fastest),
        ATTEMPTS,
        TimeUnit.NANOSECONDS.toMillis(CALL));
  }

  /**
   * The same for a single call, made up to three times.
   *
   * @param what the call in words
   */
  public static void checkCall(TestSession session, String what, Runnable call) {
    check(
        session,
        what,
        watch ->
            watch.timed(() -> {
              call.run();
              return what;
            }));
  }

  /** Keeps a time in nanoseconds by which a call was late, if it is the longest. */
  public void late(long nanos) {
    slowest = Math.max(slowest, nanos);
  }

  /**
   * Makes one call and keeps its time if it is the longest. The time in which this thread waited
   * for a core is not the call's.
   */
  public <T extends @Nullable Object> T timed(Supplier<T> call) {
    RunDelay delay = RunDelay.ofThisThread();
    long before = delay.nanos();
    long start = System.nanoTime();
    T result = call.get();
    long nanos = System.nanoTime() - start;
    if (nanos > CALL) {
      nanos -= Math.max(0, delay.nanos() - before); // 0 where it cannot be read
    }
    slowest = Math.max(slowest, nanos);
    return result;
  }
}
