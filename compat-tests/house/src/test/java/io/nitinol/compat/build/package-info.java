// SPDX-License-Identifier: Apache-2.0
/** What the poms promise to the scripts that build the command, and what the build may load. */
@NullMarked
package io.nitinol.compat.build;

import org.jspecify.annotations.NullMarked;
