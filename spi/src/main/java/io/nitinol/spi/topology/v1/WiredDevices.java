// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.topology.v1;

import java.util.List;

/**
 * Tells of the links of devices what the system does not show, such as NVLink. It is optional: a
 * {@link io.nitinol.spi.device.v1.DeviceProvider} whose class also implements this is asked when
 * the topology of the machine is found out. One that does not is asked nothing, and its devices are
 * known by their place on the PCI bus alone.
 */
public interface WiredDevices {

  /**
   * Describes the devices of the provider, in the order of {@code DeviceProvider.devices}. Does not
   * change a device or wait for its work; may take milliseconds for each. Called by any thread,
   * after {@code DeviceProvider.unavailable} has returned null.
   *
   * @return one entry for each device that is on a PCI bus; what is not known is left out or 0
   */
  List<DeviceWiring> wiring();
}
