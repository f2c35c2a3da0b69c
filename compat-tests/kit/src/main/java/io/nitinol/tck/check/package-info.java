// SPDX-License-Identifier: Apache-2.0
/**
 * The vocabulary of the rules' tests: the annotation {@link io.nitinol.tck.check.Rule} with what a
 * test needs, and the exceptions for a broken rule and for one that does not apply. The classes of
 * {@code tck.rules} use it; {@code tck.run} reads it.
 */
@NullMarked
package io.nitinol.tck.check;

import org.jspecify.annotations.NullMarked;
