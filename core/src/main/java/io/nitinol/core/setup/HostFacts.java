// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.plugin.NetDevices;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A rank's machine, as far as choices depend on it. Algorithms are chosen from rank 0's, so that
 * all ranks choose alike; whether a host is crowded depends on that host's.
 *
 * @param processors how many processors its process may use
 * @param kernelThreads how many threads of its communicator run reductions
 * @param machine the costs inside a host
 * @param network the cost of a message between hosts
 * @param longestMessage how many bytes a message over the network may have
 */
record HostFacts(
    int processors,
    int kernelThreads,
    MachineCosts machine,
    NetworkCosts network,
    long longestMessage) {

  /** Returns this rank's facts. */
  static HostFacts of(Net net, int kernelThreads, MachineCosts machine) {
    NetProperties device = net.getProperties(0);
    return new HostFacts(
        Runtime.getRuntime().availableProcessors(),
        kernelThreads,
        machine,
        NetworkCosts.of(device.speed(), device.latency()),
        longestMessage(net));
  }

  private static long longestMessage(Net net) {
    long longest = Long.MAX_VALUE;
    for (int i = 0; i < net.devices(); i++) {
      NetProperties device = net.getProperties(i);
      if (NetDevices.isUsable(device)) {
        longest = Math.min(longest, device.maxP2pBytes());
      }
    }
    return longest;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(processors);
    out.writeInt(kernelThreads);
    out.writeDouble(machine.copyRate());
    out.writeDouble(machine.reduceRate());
    out.writeDouble(machine.signalMicros());
    out.writeDouble(network.latencyMicros());
    out.writeDouble(network.rate());
    out.writeLong(longestMessage);
  }

  static HostFacts read(DataInputStream in) throws IOException {
    int processors = in.readInt();
    int kernelThreads = in.readInt();
    MachineCosts machine = new MachineCosts(in.readDouble(), in.readDouble(), in.readDouble());
    return new HostFacts(
        processors,
        kernelThreads,
        machine,
        new NetworkCosts(in.readDouble(), in.readDouble()),
        in.readLong());
  }
}
