// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

/**
 * What a rank tells the others about itself before they connect.
 *
 * @param rank the rank
 * @param host a number that is the same for all processes of one host
 * @param pid the process
 */
public record PeerInfo(int rank, long host, long pid) {}
