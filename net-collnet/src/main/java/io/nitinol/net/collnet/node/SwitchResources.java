// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.spi.DebugLogger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the groups of a switch share.
 *
 * @param options what the switch was told
 * @param named what it calls itself in messages: its address, once it listens
 * @param key the key of its children and its parent
 * @param carrier the network plugin
 * @param loop what control connections run on
 * @param kernels what is reduced with
 * @param counters what has become of its groups
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

  /** Returns what the switch calls itself. */
  String name() {
    return named.get();
  }

  /** Says what happened at this switch. */
  String text(String what) {
    return "switch " + name() + ": " + what;
  }
}
