// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Timespan;

/**
 * The columns of what a network plugin did for one connection. The recorder cannot begin an event
 * in the past, so the event's own time is the end of what it tells and it has no duration: a
 * recording whose settings have a threshold for it does not keep it.
 */
abstract class PluginEvent extends RankEvent {
  @Label("Sends")
  @Description("Whether it was for a connection over which this rank sends")
  final boolean sends;

  @Label("Peer")
  @Description("The rank at the other end of the connection; -1 for a collective network")
  final int peer;

  @Label("Channel")
  final int channel;

  @Label("Took")
  @Description("How long it took, until the time of this event")
  @Timespan(Timespan.NANOSECONDS)
  final long took;

  PluginEvent(boolean sends, int peer, int channel, long took) {
    this.sends = sends;
    this.peer = peer;
    this.channel = channel;
    this.took = took;
  }
}
