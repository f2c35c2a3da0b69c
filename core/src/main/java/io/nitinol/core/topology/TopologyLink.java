// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

/**
 * One direction of a link.
 *
 * @param kind what it is
 * @param to where it leads
 * @param bandwidth in GB/s, as NCCL counts it; several NVLinks between two nodes are one link
 */
public record TopologyLink(LinkKind kind, TopologyNode to, float bandwidth) {}
