// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import java.util.function.BooleanSupplier;

/** Something that happens once and that a test polls for, such as a completion. One thread. */
public final class Flag {
  private boolean up;

  /** Polls unless it has happened; true when it has. */
  public boolean by(BooleanSupplier poll) {
    up = up || poll.getAsBoolean();
    return up;
  }
}
