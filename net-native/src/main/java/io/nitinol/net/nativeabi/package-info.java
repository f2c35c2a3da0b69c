// SPDX-License-Identifier: Apache-2.0
/** NCCL's own plugin ABI: native plugins in Java, and Java plugins in NCCL. */
@NullMarked
package io.nitinol.net.nativeabi;

import org.jspecify.annotations.NullMarked;
