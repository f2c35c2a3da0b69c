// SPDX-License-Identifier: Apache-2.0

/**
 * Version 1 of the kernel interface: element-wise reductions on host memory. NCCL compiles its
 * kernels in and has no such plugin; the operators are those of {@code ncclRedOp_t} and of {@code
 * ncclRedOpCreatePreMulSum}.
 */
@NullMarked
package io.nitinol.spi.kernel.v1;

import org.jspecify.annotations.NullMarked;
