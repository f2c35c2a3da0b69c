// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.tuning.MachineCosts;

/**
 * What the steps of a rank take beside the wire.
 *
 * @param serial whether one thread of a rank runs all its channels, as on a processor; else each
 *     channel is on its own, as on a GPU
 * @param copyRate bytes per microsecond that a channel copies
 * @param reduceRate bytes of one operand per microsecond that it reduces
 * @param networkRate bytes per microsecond that a thread gives to the network or takes from it; 0
 *     where a device does that
 * @param stepMicros what each step takes beside its bytes
 * @param messageMicros what a message between hosts takes beside switches and bytes
 * @param switchMicros what each switch adds
 * @param signalMicros how long it takes until a rank sees what another one of its host has written
 * @param headerBytes how much longer a message is on the wire than its data
 * @param incast the share of a link's capacity that each flow beyond the first costs
 */
public record EngineCosts(
    boolean serial,
    double copyRate,
    double reduceRate,
    double networkRate,
    double stepMicros,
    double messageMicros,
    double switchMicros,
    double signalMicros,
    int headerBytes,
    double incast) {
  /** Ranks on processors, with messages over sockets. */
  public static final EngineCosts HOST =
      new EngineCosts(
          true,
          MachineCosts.USUAL.copyRate(),
          MachineCosts.USUAL.reduceRate(),
          4_000,
          0.3,
          10,
          0.5,
          MachineCosts.USUAL.signalMicros(),
          16,
          0);

  /** Ranks on GPUs, with messages by RDMA. */
  public static final EngineCosts GPU =
      new EngineCosts(false, 200_000, 100_000, 0, 0.5, 4, 0.5, 1, 16, 0);
}
