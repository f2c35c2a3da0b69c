// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

/**
 * Holds two threads of a test together: they begin at the same time, and one stays where it would
 * park until the other is through. A thread that waits gives up after a while, since the two need
 * not run at the same time.
 */
public final class Gate {
  private static final int MOST = 300;

  private volatile int here;
  private volatile boolean through;
  private boolean givenUp;

  /** Creates a gate before which no thread has come. */
  public Gate() {}

  /** The first thread comes and waits for the second. */
  public void first() {
    here = 1;
    for (int i = 0; here != 3 && i < MOST; i++) {
      Thread.onSpinWait();
    }
  }

  /** The second thread waits for the first, and comes. */
  public void second() {
    for (int i = 0; here != 1 && i < MOST; i++) {
      Thread.onSpinWait();
    }
    here = 3;
  }

  /** The second thread is through. */
  public void open() {
    through = true;
  }

  /** The first thread waits until the second is through. */
  public void await() {
    for (int i = 0; !through; i++) {
      if (i == MOST) {
        givenUp = true;
        return;
      }
      Thread.onSpinWait();
    }
  }

  /** Returns whether the thread went on by itself; then nothing follows from what it saw. */
  public boolean isGivenUp() {
    return givenUp;
  }
}
