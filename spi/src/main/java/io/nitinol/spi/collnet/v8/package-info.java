// SPDX-License-Identifier: Apache-2.0

/**
 * Version 8 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v8_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v8;

import org.jspecify.annotations.NullMarked;
