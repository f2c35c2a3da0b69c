// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

import java.io.Serial;

/**
 * The kit has waited in vain, and nothing that it has seen shows that the plugin is the reason: a
 * machine that is too busy looks the same. The test has no verdict and is tried again. It is an
 * error, so that no test takes it for an exception of the plugin.
 */
public final class Inconclusive extends Error {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param why what was waited for and for how long, in one line
   */
  public Inconclusive(String why) {
    super(why);
  }

  /** The same, with the exception that showed it. */
  public Inconclusive(String why, Throwable cause) {
    super(why, cause);
  }
}
