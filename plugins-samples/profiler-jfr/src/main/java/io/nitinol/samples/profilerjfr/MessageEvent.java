// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.EventState;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** One message of a network operation. */
@Name("io.nitinol.NetworkMessage")
@Label("Network Message")
final class MessageEvent extends JfrEvent {
  @Label("Step")
  @Description("The message's number in its network operation, from 0")
  long step;

  @Label("Size")
  @DataAmount
  long bytes;

  @Label("Until the Network Had It")
  @Description("From the beginning until the network plugin had taken the message or the buffer")
  @Timespan(Timespan.NANOSECONDS)
  long wait;

  private final transient long began = System.nanoTime();

  MessageEvent(long step) {
    this.step = step;
  }

  void state(EventState state, long argument) {
    switch (state) {
      case PROXY_STEP_SEND_WAIT -> {
        bytes = argument;
        wait = System.nanoTime() - began;
      }
      case PROXY_STEP_RECV_WAIT -> wait = System.nanoTime() - began;
      case PROXY_STEP_RECV_GPU_WAIT -> bytes = argument;
      default -> {
        // the others take no time here
      }
    }
  }
}
