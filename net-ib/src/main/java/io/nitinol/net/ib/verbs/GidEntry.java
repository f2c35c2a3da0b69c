// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

/**
 * An entry of a port's table of GIDs, with what the kernel knows of it.
 *
 * @param gid the identifier
 * @param index its index in the table
 * @param type 0 InfiniBand, 1 RoCE v1, 2 RoCE v2
 * @param interfaceIndex index of the network interface that it comes from, 0 for none
 */
public record GidEntry(Gid gid, int index, int type, int interfaceIndex) {}
