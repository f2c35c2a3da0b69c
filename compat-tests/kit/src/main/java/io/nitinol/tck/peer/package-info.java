// SPDX-License-Identifier: Apache-2.0
/** Other processes of a test: peers that are driven from here, and killed. */
@NullMarked
package io.nitinol.tck.peer;

import org.jspecify.annotations.NullMarked;
