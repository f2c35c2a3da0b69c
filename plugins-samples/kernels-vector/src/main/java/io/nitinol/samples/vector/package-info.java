// SPDX-License-Identifier: Apache-2.0
/**
 * A kernel provider over the incubating Vector API.
 *
 * <p>Begin at {@link io.nitinol.samples.vector.VectorKernels}, which core chooses; {@code
 * Functions} makes a function for a type and an operator. A {@code VectorFunction} splits a call
 * into whole vectors and a rest; its subclasses have the loops. Those of one mould are generated:
 * the templates are in {@code src/main/templates}, and {@code KernelTemplates} among the tests
 * expands them.
 */
@NullMarked
package io.nitinol.samples.vector;

import org.jspecify.annotations.NullMarked;
