// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import org.jspecify.annotations.Nullable;

/**
 * Closes several things, each of them whatever became of those before it: a step that fails, as
 * steps do on a broken device, must not keep what the others hold.
 */
final class ClosingSteps {
  private @Nullable RuntimeException first;

  /** Does a step; a failure is kept for the end. */
  void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      if (first == null) {
        first = e;
      } else {
        first.addSuppressed(e);
      }
    }
  }

  /** Throws the first failure, with the later ones as its suppressed ones, if there was any. */
  void finish() {
    if (first != null) {
      throw first;
    }
  }
}
