// SPDX-License-Identifier: Apache-2.0
/** Measures how long it takes to make a communicator of many ranks. */
@NullMarked
package io.nitinol.bench.init;

import org.jspecify.annotations.NullMarked;
