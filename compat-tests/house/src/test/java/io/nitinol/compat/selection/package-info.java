// SPDX-License-Identifier: Apache-2.0
/** What a process with a given environment chooses, and what it says when it cannot. */
@NullMarked
package io.nitinol.compat.selection;

import org.jspecify.annotations.NullMarked;
