// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.toolkit.connect.Listener;
import io.nitinol.toolkit.net.Token;

/** An open port, to which the toolkit lets nobody in who does not know its handle. */
final class V4Listener extends Token implements ListenComm {
  final Listener<Stream> connections;

  V4Listener(SampleV4 plugin, Listener<Stream> connections) {
    super(plugin);
    this.connections = connections;
  }
}
