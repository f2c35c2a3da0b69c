// SPDX-License-Identifier: Apache-2.0
/**
 * The encrypted mode: TLS 1.3 with both sides authenticated, over a channel that never waits.
 *
 * <p>Begin with {@link io.nitinol.net.socket.tls.TlsContext}, the identity of this side and the
 * peers that it accepts, and {@link io.nitinol.net.socket.tls.TlsChannel}, one connection. The
 * identity comes from the job's secret ({@link io.nitinol.net.socket.tls.DerivedIdentity}, {@link
 * io.nitinol.net.socket.tls.ExactKeyTrust}) or from files ({@link
 * io.nitinol.net.socket.tls.PemFiles}, {@link io.nitinol.net.socket.tls.AuthorityTrust}). This
 * package knows nothing of comms or messages, and of variables only the names that a message about
 * a file needs.
 */
@NullMarked
package io.nitinol.net.socket.tls;

import org.jspecify.annotations.NullMarked;
