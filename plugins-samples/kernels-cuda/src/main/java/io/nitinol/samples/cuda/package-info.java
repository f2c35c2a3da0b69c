// SPDX-License-Identifier: Apache-2.0
/**
 * The provider of CUDA devices, by the CUDA driver alone. {@code CudaTeam} puts collectives into
 * streams as kernels, which are PTX beside these classes; the module's README describes them.
 */
@NullMarked
package io.nitinol.samples.cuda;

import org.jspecify.annotations.NullMarked;
