// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.schedule.HostLayout;
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
    int channels) {}
