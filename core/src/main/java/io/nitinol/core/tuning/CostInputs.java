// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of the cost model besides the operation; the same on all ranks.
 *
 * @param layout which ranks live where
 * @param machine the costs inside a host
 * @param inside a connection between two ranks of a host
 * @param between a connection between two hosts
 * @param collNet a host's message to a collective network, or back; null where there is none
 * @param heads how many ranks of a host talk to the collective network side by side
 * @param crowded whether some host has more ranks than processors
 * @param direct whether all ranks are in one process, so that buffers are shared; false with
 *     several hosts, of which only some may be so
 * @param lineBytes what a slot of protocol LL holds
 * @param shape how messages over connections are cut
 * @param channels how many channels the communicator has
 */
public record CostInputs(
    HostLayout layout,
    MachineCosts machine,
    NetworkCosts inside,
    NetworkCosts between,
    @Nullable NetworkCosts collNet,
    int heads,
    boolean crowded,
    boolean direct,
    int lineBytes,
    ChunkShape shape,
    int channels) {

  /** Returns one line for the log: ranks and hosts, costs in GB/s (10^9) and microseconds. */
  String describe() {
    return ErrorText.of(
        "costs of %d rank(s) on %d host(s): copy %.2f GB/s, reduce %.2f GB/s, signal %.2f us; inside"
            + " a host %s, between hosts %s%s%s%s",
        layout.ranks(),
        layout.hosts(),
        machine.copyRate() / 1000,
        machine.reduceRate() / 1000,
        machine.signalMicros(),
        inside.describe(),
        between.describe(),
        collNet == null
            ? ""
            : ErrorText.of(", CollNet %s of %d head(s)", collNet.describe(), heads),
        crowded ? "; more ranks than processors" : "",
        direct ? "; buffers are shared" : "");
  }
}
