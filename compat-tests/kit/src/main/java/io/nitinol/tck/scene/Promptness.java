// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.tck.session.Session;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at how long calls take that never wait. A machine that is busy makes a call slow once, a
 * plugin that waits each time.
 */
public final class Promptness {
  /** The CALL bound of the contract, in nanoseconds. */
  public static final long CALL = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int ATTEMPTS = 3;

  private long slowest;

  private Promptness() {}

  /**
   * Does something whose calls have to be prompt; where one is not, it is done again, since the
   * machine may have been the reason.
   *
   * @param what the calls in words
   * @param scene what is done with the stopwatch
   */
  public static void check(Session session, String what, Consumer<Promptness> scene) {
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
  public static void checkCall(Session session, String what, Runnable call) {
    check(
        session,
        what,
        watch ->
            watch.timed(() -> {
              call.run();
              return what;
            }));
  }

  /** Makes one call and keeps its time where it is the longest. */
  public <T extends @Nullable Object> T timed(Supplier<T> call) {
    long start = System.nanoTime();
    T result = call.get();
    slowest = Math.max(slowest, System.nanoTime() - start);
    return result;
  }
}
