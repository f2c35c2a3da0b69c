// SPDX-License-Identifier: Apache-2.0
/** Benchmarks against other libraries. */
@NullMarked
package io.nitinol.bench;

import org.jspecify.annotations.NullMarked;
