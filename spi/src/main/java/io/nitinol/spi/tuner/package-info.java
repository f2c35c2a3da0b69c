// SPDX-License-Identifier: Apache-2.0

/** What all versions of the tuner interface share: the names of algorithms and protocols. */
@NullMarked
package io.nitinol.spi.tuner;

import org.jspecify.annotations.NullMarked;
