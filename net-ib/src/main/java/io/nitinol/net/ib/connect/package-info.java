// SPDX-License-Identifier: Apache-2.0

/**
 * How a connection comes about: over an authenticated TCP connection the two sides tell each other
 * what their cards have to know, and bring their queue pairs up.
 *
 * <p>Begin with {@link io.nitinol.net.ib.connect.IbConnector}, by which {@code IbNet} listens and
 * connects; {@code QueuePairExchange} is what both sides do once {@code io.nitinol.toolkit.connect}
 * has proven them. The threads that call the plugin poll all of it.
 */
@NullMarked
package io.nitinol.net.ib.connect;

import org.jspecify.annotations.NullMarked;
