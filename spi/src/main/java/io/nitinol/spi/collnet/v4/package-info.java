// SPDX-License-Identifier: Apache-2.0

/**
 * Version 4 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v4_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v4;

import org.jspecify.annotations.NullMarked;
