// SPDX-License-Identifier: Apache-2.0
/** The place of a kernel provider for CUDA devices. There is nothing in it yet. */
@NullMarked
package io.nitinol.samples.cuda;

import org.jspecify.annotations.NullMarked;
