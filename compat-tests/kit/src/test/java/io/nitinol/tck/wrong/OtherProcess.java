// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;

/** Tells the failure of a peer in another process from that of one in this, for SampleMemory. */
final class OtherProcess {
  private static final String OWN = "process " + ProcessHandle.current().pid();

  private OtherProcess() {}

  static boolean isNamedIn(NetException e) {
    String message = String.valueOf(e.getMessage());
    return e.result() == ResultCode.REMOTE_ERROR
        && message.contains("process ")
        && !message.contains(OWN);
  }
}
