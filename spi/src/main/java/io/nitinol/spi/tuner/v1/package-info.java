// SPDX-License-Identifier: Apache-2.0

/** Version 1 of the tuner interface: a plugin's say in the choice of algorithms. */
@NullMarked
package io.nitinol.spi.tuner.v1;

import org.jspecify.annotations.NullMarked;
