// SPDX-License-Identifier: Apache-2.0

/** The names of algorithms and protocols, which all versions of the tuner interface share. */
@NullMarked
package io.nitinol.spi.tuner;

import org.jspecify.annotations.NullMarked;
