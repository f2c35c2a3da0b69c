// SPDX-License-Identifier: Apache-2.0

/**
 * Checks the documentation: generated pages against the code, examples, links and the width of
 * lines.
 */
@NullMarked
package io.nitinol.compat.docs;

import org.jspecify.annotations.NullMarked;
