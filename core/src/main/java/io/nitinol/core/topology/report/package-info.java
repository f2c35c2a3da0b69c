// SPDX-License-Identifier: Apache-2.0

/**
 * All that is known of a machine's topology at once: graph, paths, what was searched, the model of
 * costs. Begin with {@link io.nitinol.core.topology.report.TopologyReport}, which the {@code
 * nitinol topo} command and, where a variable asks for it, a communicator on devices make.
 */
@NullMarked
package io.nitinol.core.topology.report;

import org.jspecify.annotations.NullMarked;
