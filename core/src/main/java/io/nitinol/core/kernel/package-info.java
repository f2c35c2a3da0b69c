// SPDX-License-Identifier: Apache-2.0

/**
 * Reduction kernels for host memory: what each data type and operator computes, and the portable
 * implementation that every machine has.
 */
@NullMarked
package io.nitinol.core.kernel;

import org.jspecify.annotations.NullMarked;
