// SPDX-License-Identifier: Apache-2.0

/** Declaring and reading the variables of a plugin. */
@NullMarked
package io.nitinol.spi.config;

import org.jspecify.annotations.NullMarked;
