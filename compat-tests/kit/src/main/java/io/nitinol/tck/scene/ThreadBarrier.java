// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A point that the threads of a test pass together. */
public final class ThreadBarrier {
  private static final int SECONDS = 20;

  private ThreadBarrier() {}

  /**
   * Waits for the others.
   *
   * @throws IllegalStateException when one does not come
   */
  public static void at(CyclicBarrier barrier) {
    try {
      barrier.await(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("a thread of the test was interrupted", e);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("a thread of the test has not come", e);
    }
  }
}
