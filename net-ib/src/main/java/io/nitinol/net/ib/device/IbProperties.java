// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.verbs.DeviceAttributes;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the properties of a device; mirrors {@code ncclIbGetProperties}. A device of several ports
 * has the sum of their speeds and the place of the first.
 */
final class IbProperties {
  /** There are no collective operations; NCCL's value for networks without. */
  private static final long MOST_COLLECTIVE_BYTES = 512L << 20;

  private final List<IbPort> ports;
  private final IbOptions options;
  private final Sysfs sysfs;

  IbProperties(List<IbPort> ports, IbOptions options, Sysfs sysfs) {
    this.ports = ports;
    this.options = options;
    this.sysfs = sysfs;
  }

  /** Returns what callers are told of device {@code index}. */
  NetProperties read(int index) {
    IbPort first = ports.getFirst();
    return properties(
        ports.stream().map(port -> port.card().name()).collect(Collectors.joining("+")),
        place(first),
        first.card().attributes().systemImageGuid(),
        pointers(),
        ports.stream().mapToInt(IbPort::speed).sum(),
        first.number(),
        maxComms(),
        VirtualDevice.physical(index));
  }

  /** Returns what callers are told of a device that they make of others. */
  static NetProperties merged(VirtualDevice parts, List<IbDevice> members) {
    List<NetProperties> of = members.stream().map(IbDevice::properties).toList();
    NetProperties first = of.getFirst();
    return properties(
        of.stream().map(NetProperties::name).collect(Collectors.joining("+")),
        first.pciPath(),
        first.guid(),
        of.stream().mapToInt(NetProperties::ptrSupport).reduce(-1, (one, other) -> one & other),
        of.stream().mapToInt(NetProperties::speed).sum(),
        first.port(),
        of.stream().mapToInt(NetProperties::maxComms).min().orElseThrow(),
        parts);
  }

  /** What is the same of all devices: the caches of a card are shared by the comms of a device. */
  private static NetProperties properties(
      String name,
      @Nullable String pciPath,
      long guid,
      int pointers,
      int speed,
      int port,
      int maxComms,
      VirtualDevice parts) {
    return new NetProperties(
        name,
        pciPath,
        guid,
        pointers,
        true,
        false,
        speed,
        port,
        0f,
        maxComms,
        IbDevice.MAX_RECVS,
        NetDeviceType.HOST,
        0,
        parts,
        IbDevice.MOST_BYTES,
        MOST_COLLECTIVE_BYTES,
        1,
        NetProperties.ID_UNDEFINED,
        NetProperties.ID_UNDEFINED);
  }

  /** The path of the card, or where that function is not visible, as in a container, its own. */
  private static @Nullable String place(IbPort port) {
    String card = port.pciPath();
    return card != null && Files.exists(Path.of(card)) ? card : port.systemPath();
  }

  /** Each comm has its queue pairs, one more for flushes, and a completion queue. */
  private int maxComms() {
    int pairs = options.connection().queuePairsPerPort() + 1;
    int most = Integer.MAX_VALUE;
    for (IbPort port : ports) {
      DeviceAttributes card = port.card().attributes();
      most = Math.min(most, Math.min(card.maxQueuePairs() / pairs, card.maxCompletionQueues()));
    }
    return Math.max(1, most);
  }

  /**
   * GPU memory takes the kernel's help: a module of NVIDIA's, or a dma-buf, which all the cards'
   * drivers have to know. Whether they do is only asked where there is a GPU at all.
   */
  private int pointers() {
    int mask = PointerType.HOST.mask();
    boolean dmaBuf =
        sysfs.hasGpuDriver()
            && ports.stream().allMatch(port -> port.card().domain().dmaBufSupported());
    if (dmaBuf || sysfs.hasPeerMemory()) {
      mask |= PointerType.CUDA.mask();
    }
    return dmaBuf ? mask | PointerType.DMABUF.mask() : mask;
  }
}
