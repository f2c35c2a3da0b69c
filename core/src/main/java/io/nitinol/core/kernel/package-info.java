// SPDX-License-Identifier: Apache-2.0

/**
 * Reduction kernels for host memory: what each data type and operator computes, and the portable
 * implementation that every machine has. {@link ScalarKernels} is the provider; a class per width
 * does the arithmetic, block by block ({@link Block}). Executors call the kernels.
 *
 * <p>{@code docs/numerics.md} is the specification: integers wrap around; floats narrower than
 * binary32 are combined in binary32 and rounded to nearest even; 8-bit overflow saturates; sums and
 * products propagate NaN and know only one, minimum and maximum ignore it and put -0 below +0;
 * floating-point averages multiply each contribution by 1/n, integer averages divide the sum.
 */
@NullMarked
package io.nitinol.core.kernel;

import org.jspecify.annotations.NullMarked;
