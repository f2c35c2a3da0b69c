// SPDX-License-Identifier: Apache-2.0

/**
 * The connections of a host's heads with a collective network, which reduces between hosts. {@link
 * CollNetPlan} decides which ranks are heads, {@link CollNetJoin} makes them members of the
 * network's groups when a communicator is made, and {@link CollNetSend} and {@link CollNetReceive}
 * are the connectors that schedules use afterwards; both ends of one share a {@link
 * CollNetExchange}. The thread that makes the communicator joins; the driving thread calls the
 * plugin from then on.
 */
@NullMarked
package io.nitinol.core.transport.collnet;

import org.jspecify.annotations.NullMarked;
