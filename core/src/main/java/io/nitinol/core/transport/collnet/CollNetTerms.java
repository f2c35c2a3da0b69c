// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.NetDevices;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
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
   * Returns the terms of a rank, to which all devices are alike.
   *
   * @param net its network; null for none
   */
  public static CollNetTerms of(@Nullable CollNet net, Settings settings) {
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
    return new CollNetTerms(net.name(), usable.length, longest, costs, threshold, 0);
  }

  /**
   * Returns the same terms of a rank that some devices are near to.
   *
   * @param usable the numbers of the devices that are counted here
   * @param nearby the numbers of those near; none where all are alike
   */
  public CollNetTerms near(int[] usable, List<Integer> nearby) {
    long bits = 0;
    for (int i = 0; i < Math.min(usable.length, Long.SIZE); i++) {
      bits |= nearby.contains(usable[i]) ? 1L << i : 0;
    }
    return new CollNetTerms(name, devices, longest, costs, threshold, bits);
  }

  /** Returns how many devices are near the rank of those from {@code from} to before {@code to}. */
  int near(int from, int to) {
    if (near == 0) {
      return to - from;
    }
    int known = Math.min(to, Long.SIZE);
    long before = known == Long.SIZE ? -1 : (1L << known) - 1; // the bits of devices before it
    long those = from >= Long.SIZE ? 0 : before & -1L << from;
    return Long.bitCount(near & those) + to - Math.max(from, known);
  }

  /** Returns the devices that take host memory and are driven by the host. */
  public static int[] usable(CollNet net) {
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
    CollNetTerms terms =
        new CollNetTerms(
            in.readUTF(),
            in.readInt(),
            in.readLong(),
            new NetworkCosts(in.readDouble(), in.readDouble()),
            in.readInt(),
            in.readLong());
    if (terms.devices < (terms.name.isEmpty() ? 0 : 1)) {
      throw new IOException(
          ErrorText.of("collective network '%s' of %d devices", terms.name, terms.devices));
    }
    return terms;
  }
}
