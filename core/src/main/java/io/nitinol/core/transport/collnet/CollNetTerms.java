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
import org.jspecify.annotations.Nullable;

/**
 * What a rank brings to the table of a collective network.
 *
 * @param name the network's name; empty where this rank has none or is not to use it
 * @param devices how many devices it has that take host memory
 * @param longest the most bytes of one operation on any of them
 * @param costs the way of a message to the network, or back; rank 0's count
 * @param threshold the fewest hosts that use it; rank 0's counts
 */
public record CollNetTerms(
    String name, int devices, long longest, NetworkCosts costs, int threshold) {

  /** Returns the terms of a rank, which has no network where {@code net} is null. */
  public static CollNetTerms of(@Nullable CollNet net, Settings settings) {
    int threshold = settings.get(CoreVariables.COLLNET_NODE_THRESHOLD);
    int[] usable = net == null ? new int[0] : usable(net);
    if (net == null || usable.length == 0) {
      return new CollNetTerms("", 0, 0, NetworkCosts.of(1, 0), threshold);
    }
    long longest = Long.MAX_VALUE;
    for (int device : usable) {
      longest = Math.min(longest, net.getProperties(device).maxCollBytes());
    }
    NetProperties first = net.getProperties(usable[0]);
    NetworkCosts costs = NetworkCosts.of(first.speed(), first.latency());
    return new CollNetTerms(net.name(), usable.length, longest, costs, threshold);
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
  }

  /** Reads what {@link #write} has written. */
  public static CollNetTerms read(DataInputStream in) throws IOException {
    return new CollNetTerms(
        in.readUTF(),
        in.readInt(),
        in.readLong(),
        new NetworkCosts(in.readDouble(), in.readDouble()),
        in.readInt());
  }
}
