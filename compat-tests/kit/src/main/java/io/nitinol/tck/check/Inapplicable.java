// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

import java.io.Serial;

/**
 * A test does not apply to this plugin or machine; the message gives the reason. It is an error, so
 * that no test takes it for an exception of the plugin.
 */
public final class Inapplicable extends Error {
  @Serial private static final long serialVersionUID = 1L;

  /** Creates the exception with its reason. */
  public Inapplicable(String why) {
    super(why);
  }
}
