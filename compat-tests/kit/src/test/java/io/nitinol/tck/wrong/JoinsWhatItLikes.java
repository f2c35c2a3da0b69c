// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.VirtualDevice;
import java.util.List;

/** Makes a device of others than those that were named. */
@Breaks("NET-VDEV-02")
public final class JoinsWhatItLikes extends WrongNewestNet {
  @Override
  public int makeVDevice(VirtualDevice devices) {
    return super.makeVDevice(new VirtualDevice(List.of(0, 1)));
  }
}
