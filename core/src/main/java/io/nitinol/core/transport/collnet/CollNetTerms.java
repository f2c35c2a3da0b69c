// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.NetDevices;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v12.NetProperties;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a rank brings to the table of a collective network.
 *
 * @param name the network's name; empty where this rank has none or is not to use it
 * @param devices how many devices it has that take host memory
 * @param longest the most bytes of one operation on any of them
 * @param costs the way of a message to the network, or back; rank 0's count
 * @param threshold the fewest hosts that use it; rank 0's counts
 * @param near bit d for the d-th of these devices that is near the rank; 0 where all are alike
 */
public record CollNetTerms(
    String name, int devices, long longest, NetworkCosts costs, int threshold, long near) {

  /**
   * Returns the terms of a rank.
   *
   * @param net its network; null for none
   * @param near finds which of some of its devices, given by their numbers, are near the rank
   */
  public static CollNetTerms of(
      @Nullable CollNet net, Settings settings, UnaryOperator<List<Integer>> near) {
    int threshold = settings.get(CoreVariables.COLLNET_NODE_THRESHOLD);
    int[] usable = net == null ? new int[0] : usable(net);
    if (net == null || usable.length == 0) {
      return new CollNetTerms("", 0, 0, NetworkCosts.of(1, 0), threshold, 0);
    }
    long longest = Long.MAX_VALUE;
    for (int device : usable) {
      longest = Math.min(longest, net.getProperties(device).maxCollBytes());
    }
    NetProperties first = net.getProperties(usable[0]);
    NetworkCosts costs = NetworkCosts.of(first.speed(), first.latency());
    List<Integer> numbers = Arrays.stream(usable).boxed().toList();
    long bits = bits(numbers, near.apply(numbers));
    return new CollNetTerms(net.name(), usable.length, longest, costs, threshold, bits);
  }

  private static long bits(List<Integer> all, List<Integer> near) {
    long bits = 0;
    for (int i = 0; i < Math.min(all.size(), Long.SIZE); i++) {
      bits |= near.contains(all.get(i)) ? 1L << i : 0;
    }
    return bits;
  }

  /** Returns whether a device, of the first 64, is near the rank. */
  boolean isNear(int device) {
    return near == 0 || device >= Long.SIZE || (near & 1L << device) != 0;
  }

  /** Returns the devices that take host memory and are driven by the host. */
  static int[] usable(CollNet net) {
    int[] all = new int[net.devices()];
    int count = 0;
    for (int i = 0; i < all.length; i++) {
      if (NetDevices.isUsable(net.getProperties(i))) {
        all[count++] = i;
      }
    }
    return Arrays.copyOf(all, count);
  }

  /** Writes the terms. */
  public void write(DataOutputStream out) throws IOException {
    out.writeUTF(name);
    out.writeInt(devices);
    out.writeLong(longest);
    out.writeDouble(costs.latencyMicros());
    out.writeDouble(costs.rate());
    out.writeInt(threshold);
    out.writeLong(near);
  }

  /** Reads what {@link #write} has written. */
  public static CollNetTerms read(DataInputStream in) throws IOException {
    return new CollNetTerms(
        in.readUTF(),
        in.readInt(),
        in.readLong(),
        new NetworkCosts(in.readDouble(), in.readDouble()),
        in.readInt(),
        in.readLong());
  }
}
