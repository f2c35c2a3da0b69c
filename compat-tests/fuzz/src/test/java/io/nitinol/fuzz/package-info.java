// SPDX-License-Identifier: Apache-2.0

/**
 * A fuzzer that is led by coverage: it changes inputs that reached something, and keeps those that
 * reach something new. {@code FuzzTest} and the command {@code compat-tests/fuzz/run} call it.
 *
 * <p>Begin with {@link io.nitinol.fuzz.Fuzzer}. A {@link io.nitinol.fuzz.FuzzTarget} tries one
 * parser; it lies in the parser's package, since parsers are not public, and {@link
 * io.nitinol.fuzz.Targets} lists them all. {@link io.nitinol.fuzz.ProbeLoader} loads the classes of
 * Nitinol anew for each target, with a probe in every branch.
 */
@NullMarked
package io.nitinol.fuzz;

import org.jspecify.annotations.NullMarked;
