// SPDX-License-Identifier: Apache-2.0

/**
 * What all plugin interfaces share: result codes, data types, operators, pointer types, the logger.
 */
@NullMarked
package io.nitinol.spi;

import org.jspecify.annotations.NullMarked;
