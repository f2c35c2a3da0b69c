// SPDX-License-Identifier: Apache-2.0

/**
 * The bootstrap: lets the ranks of a communicator find each other and exchange small messages out
 * of band, over a ring of TCP connections and direct ones made when first needed.
 *
 * <p>Begin with {@link io.nitinol.core.bootstrap.Bootstrap}, which {@code Communicator} and its
 * setup call from the application's threads, and {@link io.nitinol.core.bootstrap.UniqueId}, by
 * which ranks meet. {@code Root} introduces the ranks to each other, {@code Joining} is a rank's
 * way in, {@code Member} its links and what it knows of failures, {@code Mailbox} where callers
 * wait. The connections are those of {@code io.nitinol.toolkit.control}, with one loop thread for
 * each rank and for the root; {@code RankGreeting} and {@code Frame} are what the bootstrap says on
 * them.
 */
@NullMarked
package io.nitinol.core.bootstrap;

import org.jspecify.annotations.NullMarked;
