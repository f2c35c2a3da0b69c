// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v6.NetProperties;

/** Answers a device that does not exist with INTERNAL_ERROR. */
@Breaks("NET-DEV-03")
public final class BlamesItselfForABadDevice extends WrongNet {
  @Override
  public NetProperties getProperties(int device) {
    if (device < 0 || device >= net.devices()) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "no device " + device);
    }
    return net.getProperties(device);
  }
}
