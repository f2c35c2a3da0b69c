// SPDX-License-Identifier: Apache-2.0
/**
 * How a child and its switch are connected, the same on both sides: a control connection over TCP,
 * proven both ways, whose end or silence means that the other side is gone; and a pair of comms of
 * the network plugin for the data, one up and one down.
 *
 * <p>Begin with {@link io.nitinol.net.collnet.link.SwitchLoop}, the switch's use of {@code
 * io.nitinol.toolkit.control}, and {@link io.nitinol.net.collnet.link.CommPair}. Members call both
 * from the thread that joins, switches from the threads of their groups.
 */
@NullMarked
package io.nitinol.net.collnet.link;

import org.jspecify.annotations.NullMarked;
