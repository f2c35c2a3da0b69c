// SPDX-License-Identifier: Apache-2.0

/** The command's calls of the system's dynamic loader, and of libfabric. */
@NullMarked
package io.nitinol.cli.ffi;

import org.jspecify.annotations.NullMarked;
