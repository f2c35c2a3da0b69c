// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** The steps that a rank takes on one channel of a collective. */
@Name("io.nitinol.ChannelSteps")
@Label("Channel Steps")
final class ChannelEvent extends JfrEvent {
  @Label("Channel")
  int channel;

  ChannelEvent(int channel) {
    this.channel = channel;
  }
}
