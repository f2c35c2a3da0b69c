// SPDX-License-Identifier: Apache-2.0
/** A kernel provider for CUDA devices. */
@NullMarked
package io.nitinol.samples.cuda;

import org.jspecify.annotations.NullMarked;
