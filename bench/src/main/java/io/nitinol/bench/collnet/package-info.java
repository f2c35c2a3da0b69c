// SPDX-License-Identifier: Apache-2.0
/**
 * Reduction in the network against a ring, between hosts made of network namespaces, and what a
 * switch reduces.
 */
@NullMarked
package io.nitinol.bench.collnet;

import org.jspecify.annotations.NullMarked;
