// SPDX-License-Identifier: Apache-2.0
/**
 * The CollNet plugin "Switch": the side of the ranks.
 *
 * <p>Begin with {@link io.nitinol.net.collnet.SwitchCollNet}, which core (or NCCL, through the
 * native library) calls. A call of {@code connect} makes a {@code SwitchGroupJoin}, and that a
 * {@code SwitchMember}, which moves operations by a {@code ContributionSender} and a {@code
 * ResultReceiver}. The switch itself is in {@link io.nitinol.net.collnet.node}; it runs in a
 * process of its own, or as an {@code EmbeddedSwitch} in rank 0's.
 */
@NullMarked
package io.nitinol.net.collnet;

import org.jspecify.annotations.NullMarked;
