// SPDX-License-Identifier: Apache-2.0

/** How a plugin declares the variables it reads and how it reads them. */
@NullMarked
package io.nitinol.spi.config;

import org.jspecify.annotations.NullMarked;
