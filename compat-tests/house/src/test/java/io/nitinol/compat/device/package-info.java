// SPDX-License-Identifier: Apache-2.0

/** Communicators on device memory, with the CPU twin, as threads and as processes. */
@NullMarked
package io.nitinol.compat.device;

import org.jspecify.annotations.NullMarked;
