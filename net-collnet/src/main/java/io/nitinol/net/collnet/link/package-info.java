// SPDX-License-Identifier: Apache-2.0
/**
 * How a child and its switch are connected, the same on both sides: a control connection over TCP,
 * proven both ways, whose end or silence means that the other side is gone; and a pair of comms of
 * the network plugin for the data, one up and one down.
 */
@NullMarked
package io.nitinol.net.collnet.link;

import org.jspecify.annotations.NullMarked;
