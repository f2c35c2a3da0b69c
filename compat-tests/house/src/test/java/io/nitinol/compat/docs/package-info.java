// SPDX-License-Identifier: Apache-2.0

/** Compares generated pages of the documentation with what the code says. */
@NullMarked
package io.nitinol.compat.docs;

import org.jspecify.annotations.NullMarked;
