// SPDX-License-Identifier: Apache-2.0
/** Checks on the poms what the scripts that build the command rely on. */
@NullMarked
package io.nitinol.compat.build;

import org.jspecify.annotations.NullMarked;
