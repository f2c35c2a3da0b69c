// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.KitPatience;
import io.nitinol.tck.session.Session;
import io.nitinol.toolkit.ErrorText;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for the start of a peer: for the JVM, which is the machine's matter, and for the plugin's
 * init, which has a bound.
 */
final class PeerStart {
  /** Busy machines start JVMs slowly. */
  private static final long COMES_UP = TimeUnit.SECONDS.toNanos(30);

  private static final long SPARE = TimeUnit.SECONDS.toNanos(5);

  private PeerStart() {}

  /**
   * Returns when the plugin has been initialized there.
   *
   * @throws io.nitinol.tck.check.RuleViolation of NET-INIT-04 when its init does not end
   * @throws Inconclusive when the machine is too slow
   */
  static void await(Session session, PeerProcess process) {
    KitPatience patience = session.terms().patience();
    long comesUp = patience.scaled(COMES_UP);
    if (!isDone(process.up(), comesUp)) {
      throw new Inconclusive(
          ErrorText.of(
              "the JVM of a peer has not come up within %s s",
              TimeUnit.NANOSECONDS.toSeconds(comesUp)));
    }
    long start = patience.startNanos();
    if (!isDone(process.ready(), start)) {
      try {
        throw PeerSilence.judge(
            process,
            "NET-INIT-04",
            ErrorText.of(
                "in the peer process, init has not ended after %s s",
                TimeUnit.NANOSECONDS.toSeconds(start)));
      } catch (RuleViolation hung) { // it is the plugin's, and not the machine's
        patience.startHung();
        throw hung;
      }
    }
    new PeerAnswer<>(
            session, process, process.ready(), "NET-INIT-05", "the start", SPARE, text -> text)
        .get();
  }

  /** Returns whether it comes to its end in time, be it by an exception. */
  private static boolean isDone(CompletableFuture<?> future, long nanos) {
    try {
      future.get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      return true; // PeerAnswer throws the reason
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
  }
}
