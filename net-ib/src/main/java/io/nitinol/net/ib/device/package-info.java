// SPDX-License-Identifier: Apache-2.0
/**
 * The devices of the verbs plugin: cards and their ports, filters, addresses, speeds, places on the
 * PCI bus, and ports joined to one device.
 *
 * <p>Begin with {@code IbDeviceDiscovery}, which the plugin's first {@code init} calls, and {@link
 * io.nitinol.net.ib.device.IbDevices}, its result. {@link io.nitinol.net.ib.device.AsyncEvents}
 * reads each card's events on a thread of its own.
 */
@NullMarked
package io.nitinol.net.ib.device;

import org.jspecify.annotations.NullMarked;
