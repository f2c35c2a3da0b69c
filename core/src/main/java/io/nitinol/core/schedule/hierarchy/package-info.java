// SPDX-License-Identifier: Apache-2.0

/**
 * Collectives over several hosts. The ranks of each host exchange through their shared memory, and
 * of each host only as many ranks as the smallest host has talk to other hosts. {@link
 * HierarchyAllReduce} is the schedule, {@link HostRing} its ring between hosts.
 */
@NullMarked
package io.nitinol.core.schedule.hierarchy;

import org.jspecify.annotations.NullMarked;
