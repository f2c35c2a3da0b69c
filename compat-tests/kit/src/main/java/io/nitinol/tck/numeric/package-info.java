// SPDX-License-Identifier: Apache-2.0
/**
 * The right results of reductions: the elements of all types, contributions that are made from a
 * seed, and a model of their results that is independent of every implementation under test. Begin
 * with {@link io.nitinol.tck.numeric.Contributions}; {@code tck.scene} and the peer processes call
 * it.
 */
@NullMarked
package io.nitinol.tck.numeric;

import org.jspecify.annotations.NullMarked;
