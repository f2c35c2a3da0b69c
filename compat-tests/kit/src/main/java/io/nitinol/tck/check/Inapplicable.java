// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

import java.io.Serial;

/** A test found out that it does not apply to this plugin or machine; the message says why. */
public final class Inapplicable extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Says why. */
  public Inapplicable(String why) {
    super(why);
  }
}
