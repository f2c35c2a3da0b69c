// SPDX-License-Identifier: Apache-2.0
/**
 * A Java plugin as NCCL sees it: fills the tables of {@code libnccl-net-nitinol.so}, versions 4 to
 * 12, with functions that call the network which core's selection chooses.
 */
@NullMarked
package io.nitinol.net.nativeabi.export;

import org.jspecify.annotations.NullMarked;
