// SPDX-License-Identifier: Apache-2.0
/**
 * The encrypted mode: TLS 1.3 with both sides authenticated, over a channel that never waits. Knows
 * nothing of comms or messages, and of variables only the names that a message about a file needs.
 */
@NullMarked
package io.nitinol.net.socket.tls;

import org.jspecify.annotations.NullMarked;
