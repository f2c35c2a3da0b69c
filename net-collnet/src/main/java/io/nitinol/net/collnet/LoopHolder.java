// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.spi.DebugLogger;
import org.jspecify.annotations.Nullable;

/** Keeps the one thread of an instance's control connections, which lives while groups do. */
final class LoopHolder {
  private int users;
  private @Nullable SwitchLoop loop;

  /** Returns the loop, for one more group. */
  synchronized SwitchLoop acquire(DebugLogger logger) {
    SwitchLoop open = loop;
    if (open == null) {
      open = SwitchLoop.open("Switch-members", logger);
      loop = open;
    }
    users++;
    return open;
  }

  /** Notes that a group has ended; the thread ends with the last one. */
  synchronized void release() {
    users--;
    SwitchLoop open = loop;
    if (users == 0 && open != null) {
      loop = null;
      open.end();
    }
  }
}
