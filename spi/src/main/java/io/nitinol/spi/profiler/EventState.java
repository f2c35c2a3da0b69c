// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.profiler;

/**
 * What happens to an event between its start and its stop; mirrors {@code
 * ncclProfilerEventState_t}, whose numbers these have. What NCCL has deprecated is not here.
 */
public enum EventState {
  /** A message waits for its data; takes no time, since it begins when its data is there. */
  PROXY_STEP_SEND_GPU_WAIT(8),
  /** The network has a message to send. The argument is its size in bytes. */
  PROXY_STEP_SEND_WAIT(9),
  /** The network has a buffer to receive into. */
  PROXY_STEP_RECV_WAIT(10),
  /**
   * The received data is being flushed; this takes no time, since host memory needs no flush. The
   * argument is its size in bytes.
   */
  PROXY_STEP_RECV_FLUSH_WAIT(11),
  /** A message has come and waits to be used. The argument is its size in bytes. */
  PROXY_STEP_RECV_GPU_WAIT(12),
  /** The progress thread has nothing to move. Not reported: it sleeps then. */
  PROXY_CTRL_IDLE(13),
  /** The progress thread has something to move again. Not reported. */
  PROXY_CTRL_ACTIVE(14),
  /** The progress thread goes to sleep. */
  PROXY_CTRL_SLEEP(15),
  /** The progress thread has woken up. */
  PROXY_CTRL_WAKEUP(16),
  /** Operations are about to be taken. Not reported: they are taken where they lie. */
  PROXY_CTRL_APPEND(17),
  /** Operations were taken; the argument is how many. Not reported. */
  PROXY_CTRL_APPEND_END(18),
  /** The first message of a network operation is at hand. */
  PROXY_OP_IN_PROGRESS(19),
  /** A message waits for the network to take it. The argument is its size in bytes. */
  PROXY_STEP_SEND_PEER_WAIT(20),
  /** The network plugin has news of its event, in the data. */
  NET_PLUGIN_UPDATE(21),
  /** The steps of a channel are done. The argument is the time, {@link System#nanoTime}. */
  KERNEL_CH_STOP(22),
  /** The start of a group has returned. */
  GROUP_START_API_STOP(23),
  /** The end of a group has begun. */
  GROUP_END_API_START(24);

  private final int code;

  EventState(int code) {
    this.code = code;
  }

  /** {@return NCCL's number} */
  public int code() {
    return code;
  }
}
