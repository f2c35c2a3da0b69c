// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.memory.MrCache;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the plugin numbers as a device: one port, or up to {@link #MAX_PORTS} that share the load;
 * mirrors {@code ncclIbMergedDev}.
 *
 * @param net the plugin instance that it is a device of
 * @param index the device's number
 * @param ports the ports, all of one link layer; several may be of one card
 * @param properties what callers are told
 */
public record IbDevice(Object net, int index, List<IbPort> ports, NetProperties properties) {
  /** How many ports can be one device; NCCL_NET_MAX_DEVS_PER_NIC. */
  public static final int MAX_PORTS = 8;

  /** The longest message in bytes: its size travels in 32 bits. */
  public static final long MOST_BYTES = 1L << 31;

  /** How many pieces a receive has at most; NCCL_NET_IB_MAX_RECVS. */
  public static final int MAX_RECVS = 8;

  /** Checks the number of ports. */
  public IbDevice {
    ports = List.copyOf(ports);
    if (ports.isEmpty() || ports.size() > MAX_PORTS) {
      throw new IllegalArgumentException(
          "a device has 1 to " + MAX_PORTS + " ports, this has " + ports);
    }
  }

  /** {@return the name, such as {@code mlx5_0}, or {@code mlx5_0+mlx5_1} for two ports} */
  public String name() {
    return properties.name();
  }

  /** {@return the link layer of all ports} */
  public LinkLayer linkLayer() {
    return ports.getFirst().linkLayer();
  }

  /** {@return the caches of the ports' cards, in the order of the ports} */
  public List<MrCache> caches() {
    return ports.stream().map(port -> port.card().cache()).toList();
  }

  /** {@return whether messages can be received into GPU memory} */
  public boolean gpuDirect() {
    return PointerType.CUDA.in(properties.ptrSupport());
  }

  /** {@return the device for the log: its number, ports and link layer} */
  public String summary() {
    return ErrorText.of(
        "[%d]%s/%s",
        index,
        ports.stream().map(Object::toString).collect(Collectors.joining("+")),
        linkLayer().label());
  }

  /** {@return the device for messages: its number and name} */
  public String label() {
    return "device " + index + " (" + name() + ")";
  }
}
