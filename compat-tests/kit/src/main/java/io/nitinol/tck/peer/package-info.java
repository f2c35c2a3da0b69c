// SPDX-License-Identifier: Apache-2.0
/**
 * The other processes of a test: peers that the test drives, and kills. Begin with {@link
 * io.nitinol.tck.peer.Peer}, which the tests call; {@link io.nitinol.tck.peer.PeerMain} is the
 * program that runs there.
 */
@NullMarked
package io.nitinol.tck.peer;

import org.jspecify.annotations.NullMarked;
