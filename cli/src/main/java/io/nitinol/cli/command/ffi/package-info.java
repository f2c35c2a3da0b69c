// SPDX-License-Identifier: Apache-2.0

/** What the kernel tells of a terminal. */
@NullMarked
package io.nitinol.cli.command.ffi;

import org.jspecify.annotations.NullMarked;
