// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.profiler;

/**
 * A kind of event; mirrors {@code ncclProfileGroup} and the like, whose bits they have. An event of
 * a kind is reported where its bit is in the mask that a profiler asks for, and also where that of
 * a kind below it in the hierarchy is: a group call has the calls in it, a call the operation, an
 * operation its network operations and channels, a network operation its steps, and a step the
 * network plugin's own events.
 */
public enum EventType {
  /** A batch that a communicator is given at once: the operations of one group, or a single one. */
  GROUP,
  /** A collective: from when it is submitted until this rank has done its part. */
  COLL,
  /** A send or a receive: from when it is submitted until all of its group are done. */
  P2P,
  /** The messages that an operation sends or receives over one connection of a network plugin. */
  PROXY_OP,
  /** One message of a {@link #PROXY_OP}. */
  PROXY_STEP,
  /** The progress thread at rest, with nothing to move. */
  PROXY_CTRL,
  /** The steps that a rank takes on one channel of a collective. */
  KERNEL_CH,
  /** An event that the network plugin defines. */
  NET_PLUGIN,
  /** A group from its first call on a communicator to its end; every call outside one has one. */
  GROUP_API,
  /** The call of a collective, or of what is made of sends and receives. */
  COLL_API,
  /** The call of a send or a receive. */
  P2P_API,
  /** The launch of a GPU kernel. Not reported: there are none. */
  KERNEL_LAUNCH,
  /** A collective by copy engines. Not reported: there are none. */
  CE_COLL,
  /** Synchronization of copy engines. Not reported: there are none. */
  CE_SYNC,
  /** A batch of copies by copy engines. Not reported: there are none. */
  CE_BATCH;

  /** {@return the bit of this kind in a mask} */
  public int mask() {
    return 1 << ordinal();
  }
}
