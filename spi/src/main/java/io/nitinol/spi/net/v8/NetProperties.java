// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net.v8;

import io.nitinol.spi.net.NetDeviceType;
import org.jspecify.annotations.Nullable;

/**
 * What one device is and can do; mirrors {@code ncclNetProperties_v8_t}, field by field ({@code
 * NET-DEV-02} to {@code NET-DEV-09}).
 *
 * @param name the device's name for logs, such as {@code mlx5_0} or {@code eth0}
 * @param pciPath the device's real path below {@code /sys}, or null for a virtual device
 * @param guid a number that is the same for all ports of one physical card and differs between
 *     cards, so that the topology search knows which share bandwidth
 * @param ptrSupport the memory this device can send from and receive into: a mask of {@link
 *     io.nitinol.spi.PointerType#mask()}
 * @param regIsGlobal whether memory registered with one comm may be used with every comm of the
 *     device ({@code NET-REG-14})
 * @param speed the port's speed in megabits (10<sup>6</sup> bits) per second, above 0
 * @param port the port's number on its card; 0 where there are no ports
 * @param latency what the network adds to one message, in microseconds; 0 when not known
 * @param maxComms how many comms can exist at once
 * @param maxRecvs how many buffers one {@code irecv} may carry; at least 1
 * @param netDeviceType what moves the data: {@link NetDeviceType#HOST} unless the plugin offloads
 *     them to the device
 * @param netDeviceVersion the version of the offload; 0 for HOST
 */
public record NetProperties(
    String name,
    @Nullable String pciPath,
    long guid,
    int ptrSupport,
    boolean regIsGlobal,
    int speed,
    int port,
    float latency,
    int maxComms,
    int maxRecvs,
    NetDeviceType netDeviceType,
    int netDeviceVersion) {}
