// SPDX-License-Identifier: Apache-2.0
/**
 * The switch: it reduces what its children send and sends all of them the result, alone or as a
 * node of a tree of switches.
 *
 * <p>Begin with {@link io.nitinol.net.collnet.node.Switch}, which {@code nitinol switch} and the
 * plugin's embedded switch start. A child's connection comes in through {@code Admission} and joins
 * a {@code SwitchGroup}, which a {@code SwitchWorker} polls: that one thread does everything that
 * happens to the group. While the group runs, {@code SwitchFlow} moves its data between the
 * children's {@code SwitchPort}s and the parent's {@code Trunk}.
 */
@NullMarked
package io.nitinol.net.collnet.node;

import org.jspecify.annotations.NullMarked;
