// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/**
 * The data that a GPU needs to use one end of a connection by itself; mirrors {@code
 * ncclNetDeviceHandle_v7_t}, which is the same up to version 12. A plugin hands it out of {@code
 * connect} and {@code accept} where device offload was asked for; it lives as long as the comm.
 *
 * @param type how the device is used
 * @param version the version of that use, for which the device code must have been built
 * @param handle the address of the plugin's own data for the device, in a memory that the device
 *     reads
 * @param size the size of those data in bytes
 * @param needsProxyProgress whether a thread of the host must go on calling {@code test}
 */
public record DeviceHandle(
    NetDeviceType type, int version, long handle, long size, boolean needsProxyProgress) {}
