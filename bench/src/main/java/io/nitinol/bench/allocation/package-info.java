// SPDX-License-Identifier: Apache-2.0

/** Measures what the data path allocates, by kind of thread. */
@NullMarked
package io.nitinol.bench.allocation;

import org.jspecify.annotations.NullMarked;
