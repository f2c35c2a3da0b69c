// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.EventDescriptor;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A send or a receive, until all of its group are done. */
@Name("io.nitinol.PointToPoint")
@Label("Point to Point")
@Enabled
final class PointToPointEvent extends CallEvent {
  @Label("Peer")
  int peer;

  @Label("Channels")
  int channels;

  PointToPointEvent(EventDescriptor.P2p pair) {
    what(pair.function(), pair.count(), pair.dataType());
    peer = pair.peer();
    channels = pair.channels();
  }
}
