// SPDX-License-Identifier: Apache-2.0

/**
 * The bootstrap: lets the ranks of a communicator find each other and exchange small messages out
 * of band, over a ring of TCP connections and direct ones made when first needed.
 *
 * <p>Begin with {@link io.nitinol.core.bootstrap.Bootstrap}, which {@code Communicator} and its
 * setup call from the application's threads, and {@link io.nitinol.core.bootstrap.UniqueId}, by
 * which ranks meet. {@code Root} introduces the ranks to each other. {@code Joining} brings a rank
 * into its group. {@code Member} has a rank's links and its knowledge of failures. Callers wait in
 * {@code Mailbox}. The connections are those of {@code io.nitinol.toolkit.control}, with one loop
 * thread for each rank and one for the root; {@code RankGreeting} and {@code Frame} are the
 * bootstrap's messages on them. {@code Looks} and {@link io.nitinol.core.bootstrap.MemberLook} are
 * the two ends of {@code nitinol top --job}.
 */
@NullMarked
package io.nitinol.core.bootstrap;

import org.jspecify.annotations.NullMarked;
