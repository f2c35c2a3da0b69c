// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.net.socket.SocketNet;

/** {@link SocketNet} behind the decorator, as NITINOL_VALIDATE=1 has it. */
public final class ReportedSocketNet extends WatchedNet {
  /** For the kit. */
  public ReportedSocketNet() {
    super(new SocketNet(), ValidationMode.REPORT);
  }
}
