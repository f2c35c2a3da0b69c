// SPDX-License-Identifier: Apache-2.0
/**
 * Native tuners, {@code ncclTunerPlugin_v2} to {@code _v6}, as tuners of Nitinol. NCCL's cost table
 * has rows for NCCL's algorithms: tree and ring are filled with Nitinol's own costs, the others say
 * that they cannot be done.
 */
@NullMarked
package io.nitinol.net.nativeabi.tuner;

import org.jspecify.annotations.NullMarked;
