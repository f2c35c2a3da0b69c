// SPDX-License-Identifier: Apache-2.0
/**
 * The functions of libpmix and of the C library that {@code core.launch.pmi} needs, bound in the
 * shape of jextract. Only that package uses them.
 */
@NullMarked
package io.nitinol.core.launch.pmi.ffi;

import org.jspecify.annotations.NullMarked;
