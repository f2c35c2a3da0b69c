// SPDX-License-Identifier: Apache-2.0
/**
 * Finds native plugins in shared libraries, where and under the names that NCCL does. Begin at
 * {@link io.nitinol.net.nativeabi.library.NativeLibraries}, the service that core's discovery
 * calls.
 */
@NullMarked
package io.nitinol.net.nativeabi.library;

import org.jspecify.annotations.NullMarked;
