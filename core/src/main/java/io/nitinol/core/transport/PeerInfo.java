// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

/**
 * What a rank tells the others about itself before they connect.
 *
 * @param rank the rank
 * @param host a number that is the same for all processes of one host
 * @param pid a number that is the same for all ranks of one process; not the system's, which two
 *     processes of one host can have where containers share all but that
 */
public record PeerInfo(int rank, long host, long pid) {}
