// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions.PortOptions;
import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices by their numbers: those that were found, each of one port or of some that the
 * variables make one, and behind them the virtual ones that the caller makes of these; mirrors
 * {@code ncclIbMakeVDevice}.
 */
@AnyThread
public final class IbDevices {
  private final Object net;
  private final int physical;
  private final PortOptions options;
  private volatile List<IbDevice> all;

  /**
   * Begins with what was found.
   *
   * @param net the plugin instance
   * @param found by their numbers
   * @param options whether ports may be merged, and whether they have been already
   */
  public IbDevices(Object net, List<IbDevice> found, PortOptions options) {
    this.net = net;
    this.physical = found.size();
    this.options = options;
    this.all = List.copyOf(found);
  }

  /** {@return how many there are now} */
  public int count() {
    return all.size();
  }

  /**
   * Returns a device.
   *
   * @param device its number
   * @throws NetException INVALID_ARGUMENT where there is none of that number
   */
  public IbDevice get(int device) {
    List<IbDevice> now = all;
    if (device < 0 || device >= now.size()) {
      throw argument("device " + device + " of the IB plugin does not exist: it has " + now.size());
    }
    return now.get(device);
  }

  /**
   * {@return whether virtual devices can be made: not where {@code NCCL_IB_MERGE_NICS} forbids it,
   * nor where {@code NCCL_NET_FORCE_MERGE} has said which ports are one, so that a framework that
   * reads the same variable does not look for ports that are merged}
   */
  public boolean canBeMade() {
    return options.mergeNics() && options.forceMerge().isEmpty();
  }

  /**
   * Makes a device of several.
   *
   * @param parts which, two and more that were found, all of one link layer
   * @return its number
   * @throws NetException as {@code Net.makeVDevice} says
   */
  public synchronized int make(VirtualDevice parts) {
    if (!canBeMade()) {
      throw usage(
          options.mergeNics()
              ? ErrorText.of(
                  "%s=%s says which ports are one device: no others are made",
                  IbVariables.FORCE_MERGE, options.forceMerge())
              : IbVariables.MERGE_NICS + "=0 forbids devices of several ports");
    }
    List<Integer> numbers = parts.devices();
    if (numbers.size() > Net.MAX_DEVS_PER_NIC) {
      throw argument(
          numbers.size() + " devices as one: at most " + Net.MAX_DEVS_PER_NIC + " can be");
    }
    List<IbDevice> members = new ArrayList<>();
    for (int number : numbers) {
      if (number >= physical) {
        throw argument(
            ErrorText.of(
                "device %d%s: of the IB plugin's devices 0 to %d can be parts of one",
                number,
                number < all.size() ? " is itself virtual" : " does not exist",
                physical - 1));
      }
      members.add(all.get(number));
    }
    IbDevice made = merge(parts, members);
    List<IbDevice> more = new ArrayList<>(all);
    more.add(made);
    all = List.copyOf(more);
    return made.index();
  }

  private IbDevice merge(VirtualDevice parts, List<IbDevice> members) {
    if (members.size() < 2) {
      throw usage(members.getFirst().label() + " alone is no virtual device: two and more are");
    }
    IbDevice first = members.getFirst();
    for (IbDevice each : members) {
      if (each.linkLayer() != first.linkLayer()) {
        throw usage(
            ErrorText.of(
                "%s is %s and %s is %s, which cannot be one device: %s chooses ports of one kind",
                first.label(),
                first.linkLayer().label(),
                each.label(),
                each.linkLayer().label(),
                IbVariables.HCA));
      }
    }
    List<IbPort> ports = members.stream().flatMap(each -> each.ports().stream()).toList();
    if (ports.size() > IbDevice.MAX_PORTS) {
      throw usage(ports.size() + " ports as one device: at most " + IbDevice.MAX_PORTS + " can be");
    }
    return new IbDevice(net, all.size(), ports, IbProperties.merged(parts, members));
  }

  private static NetException argument(String message) {
    return new NetException(ResultCode.INVALID_ARGUMENT, message);
  }

  private static NetException usage(String message) {
    return new NetException(ResultCode.INVALID_USAGE, message);
  }
}
