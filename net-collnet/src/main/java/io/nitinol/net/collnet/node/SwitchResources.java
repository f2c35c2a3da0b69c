// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.spi.DebugLogger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The parts of a switch that all its groups share.
 *
 * @param options the options of the switch
 * @param named its name in messages: its address, once it listens
 * @param key the key of its children and its parent
 * @param carrier the network plugin
 * @param loop the loop of control connections
 * @param kernels the kernels that reduce
 * @param counters counts of its groups' fates
 * @param logger where to log
 */
record SwitchResources(
    SwitchOptions options,
    AtomicReference<String> named,
    SwitchKey key,
    Carrier carrier,
    SwitchLoop loop,
    Kernels kernels,
    SwitchCounters counters,
    DebugLogger logger) {

  /** Returns the switch's name in messages. */
  String name() {
    return named.get();
  }

  /** Returns a text that begins with the switch's name. */
  String text(String what) {
    return "switch " + name() + ": " + what;
  }
}
