// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Makes a virtual device that is not among the devices. */
@Breaks("NET-VDEV-01")
public final class DoesNotCountVirtualDevices extends WrongNewestNet {
  @Override
  public int devices() {
    return Math.min(2, super.devices());
  }
}
