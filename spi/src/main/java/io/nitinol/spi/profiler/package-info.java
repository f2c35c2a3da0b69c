// SPDX-License-Identifier: Apache-2.0

/** The kinds of events and their states, which all versions of the profiler interface share. */
@NullMarked
package io.nitinol.spi.profiler;

import org.jspecify.annotations.NullMarked;
