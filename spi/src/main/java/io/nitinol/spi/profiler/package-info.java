// SPDX-License-Identifier: Apache-2.0

/** What all versions of the profiler interface share: the kinds of events and their states. */
@NullMarked
package io.nitinol.spi.profiler;

import org.jspecify.annotations.NullMarked;
