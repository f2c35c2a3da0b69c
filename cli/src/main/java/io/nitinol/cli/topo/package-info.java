// SPDX-License-Identifier: Apache-2.0

/**
 * {@code nitinol topo}: shows the graph of a machine as a tree, a matrix or JSON. Begin with {@link
 * io.nitinol.cli.topo.TopoCommand}.
 */
@NullMarked
package io.nitinol.cli.topo;

import org.jspecify.annotations.NullMarked;
