// SPDX-License-Identifier: Apache-2.0
/** What the scripts that build the command rely on, checked on the poms. */
@NullMarked
package io.nitinol.compat.build;

import org.jspecify.annotations.NullMarked;
