// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Calls a receive complete when its sender is gone, whatever has come of it. */
@Breaks("NET-ERR-09")
public final class CompletesWithADeadPeer extends WrongNet {

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    try {
      return net.test(request, sizes);
    } catch (NetException e) {
      if (OtherProcess.isNamedIn(e)) {
        return true;
      }
      throw e;
    }
  }
}
