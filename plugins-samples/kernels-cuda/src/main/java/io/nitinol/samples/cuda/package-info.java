// SPDX-License-Identifier: Apache-2.0
/**
 * The place of a kernel provider for CUDA devices. There is no Java in it yet; the kernels, in CUDA
 * C++ and as PTX, are beside it.
 */
@NullMarked
package io.nitinol.samples.cuda;

import org.jspecify.annotations.NullMarked;
