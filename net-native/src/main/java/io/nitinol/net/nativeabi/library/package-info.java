// SPDX-License-Identifier: Apache-2.0
/** Finds native network plugins in shared libraries, where and under the names that NCCL does. */
@NullMarked
package io.nitinol.net.nativeabi.library;

import org.jspecify.annotations.NullMarked;
