// SPDX-License-Identifier: Apache-2.0
/** Plugins that are wrong in one way each, to see whether the kit finds it. */
@NullMarked
package io.nitinol.tck.wrong;

import org.jspecify.annotations.NullMarked;
