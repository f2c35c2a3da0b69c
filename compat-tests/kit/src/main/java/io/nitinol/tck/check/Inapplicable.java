// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

import java.io.Serial;

/** A test does not apply to this plugin or machine; the message gives the reason. */
public final class Inapplicable extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Creates the exception with its reason. */
  public Inapplicable(String why) {
    super(why);
  }
}
