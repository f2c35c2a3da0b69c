// SPDX-License-Identifier: Apache-2.0

/** Rates of the reduction kernels; {@code bench/kernels} runs it. */
@NullMarked
package io.nitinol.bench.kernels;

import org.jspecify.annotations.NullMarked;
