// SPDX-License-Identifier: Apache-2.0
/**
 * Data-parallel training with PyTorch's own kernels, memory and streams, on the CPU or on CUDA.
 * Begin with {@code TorchTraining}; the README of this directory has the command.
 */
@NullMarked
package io.nitinol.samples.torch;

import org.jspecify.annotations.NullMarked;
