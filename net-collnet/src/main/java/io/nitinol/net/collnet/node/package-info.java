// SPDX-License-Identifier: Apache-2.0
/**
 * The switch: a process, or a part of one, that reduces what its children send and sends all of
 * them the result, alone or as a node of a tree of switches.
 */
@NullMarked
package io.nitinol.net.collnet.node;

import org.jspecify.annotations.NullMarked;
