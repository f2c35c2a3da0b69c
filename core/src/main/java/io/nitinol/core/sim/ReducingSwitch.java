// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A switch of a collective network: when a message of each of those below has come, it sends one
 * up, or at the top the result down; what comes from above it sends to all below.
 */
final class ReducingSwitch implements Connection.End {
  private final List<Connection> fromBelow = new ArrayList<>();
  private final List<Connection> toBelow = new ArrayList<>();
  private @Nullable Connection fromAbove;
  private @Nullable Connection toAbove;

  void addBelow(Connection from, Connection to) {
    from.receiver = this;
    to.sender = this;
    fromBelow.add(from);
    toBelow.add(to);
  }

  void setAbove(Connection from, Connection to) {
    from.receiver = this;
    to.sender = this;
    fromAbove = from;
    toAbove = to;
  }

  @Override
  public void wake() {
    Connection above = fromAbove;
    while (above != null && above.isReady() && allHaveRoom()) {
      int bytes = above.firstBytes();
      above.release();
      toAll(bytes);
    }
    while (allReady()) {
      Connection up = toAbove;
      if (up == null ? !allHaveRoom() : !up.hasRoom()) {
        return;
      }
      int bytes = fromBelow.getFirst().firstBytes();
      fromBelow.forEach(Connection::release);
      if (up == null) {
        toAll(bytes);
      } else {
        up.send(bytes);
      }
    }
  }

  private void toAll(int bytes) {
    toBelow.forEach(each -> each.send(bytes));
  }

  private boolean allReady() {
    for (Connection each : fromBelow) {
      if (!each.isReady()) {
        return false;
      }
    }
    return !fromBelow.isEmpty();
  }

  private boolean allHaveRoom() {
    for (Connection each : toBelow) {
      if (!each.hasRoom()) {
        return false;
      }
    }
    return true;
  }
}
