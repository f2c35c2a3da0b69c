// SPDX-License-Identifier: Apache-2.0

/** The commands that show what is there: plugins, variables, and what the machine can do. */
@NullMarked
package io.nitinol.cli.inspect;

import org.jspecify.annotations.NullMarked;
