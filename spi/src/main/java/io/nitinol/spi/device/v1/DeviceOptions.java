// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/** The answer of operations that a device leaves out. */
final class DeviceOptions {
  private DeviceOptions() {}

  static DeviceException unsupported(String device, DeviceFeature feature) {
    return new DeviceException(DeviceFailure.UNSUPPORTED, device + " does not support " + feature);
  }
}
