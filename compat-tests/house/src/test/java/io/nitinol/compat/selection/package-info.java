// SPDX-License-Identifier: Apache-2.0
/** Tests the choice of a process with a given environment, and its message if there is none. */
@NullMarked
package io.nitinol.compat.selection;

import org.jspecify.annotations.NullMarked;
