// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.toolkit.connect.Listener;
import io.nitinol.toolkit.net.Token;

/** An open port, to which the toolkit lets nobody in who does not know its handle. */
final class V5Listener extends Token implements ListenComm {
  final Listener<V5Comm> connections;

  V5Listener(SampleV5 plugin, Listener<V5Comm> connections) {
    super(plugin);
    this.connections = connections;
  }
}
