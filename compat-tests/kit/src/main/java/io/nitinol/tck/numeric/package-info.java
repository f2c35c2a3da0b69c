// SPDX-License-Identifier: Apache-2.0
/**
 * What reductions have to yield: the elements of all types, contributions that are made from a
 * seed, and an account of their results that owes nothing to any implementation under test.
 */
@NullMarked
package io.nitinol.tck.numeric;

import org.jspecify.annotations.NullMarked;
