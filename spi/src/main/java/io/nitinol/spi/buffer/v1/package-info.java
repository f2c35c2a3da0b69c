// SPDX-License-Identifier: Apache-2.0

/**
 * Version 1 of the adapters that show collectives the memory of other libraries' objects: tensors,
 * matrices, pointers. NCCL takes addresses and has no such plugin.
 */
@NullMarked
package io.nitinol.spi.buffer.v1;

import org.jspecify.annotations.NullMarked;
