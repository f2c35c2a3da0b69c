// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v6.NetProperties;
import java.util.concurrent.locks.LockSupport;

/** Never returns from a call for which the kit has no bound of its own. */
public final class WaitsInGetProperties extends WrongNet {
  @Override
  public NetProperties getProperties(int device) {
    while (true) {
      LockSupport.park(this);
    }
  }
}
