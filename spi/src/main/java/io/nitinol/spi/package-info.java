// SPDX-License-Identifier: Apache-2.0

/**
 * The types that all plugin interfaces share: result codes, data types, operators, pointer types,
 * the logger.
 *
 * <p>Each interface has a package of its own for each version, such as {@code
 * io.nitinol.spi.net.v12}, which is never edited once it is released. An author of a network plugin
 * begins there, at {@code Net}, and implements what it declares. The contract is {@code SPEC.md}
 * beside the sources of this module.
 */
@NullMarked
package io.nitinol.spi;

import org.jspecify.annotations.NullMarked;
