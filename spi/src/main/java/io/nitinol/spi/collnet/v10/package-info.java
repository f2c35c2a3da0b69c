// SPDX-License-Identifier: Apache-2.0

/**
 * Version 10 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v10_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v10;

import org.jspecify.annotations.NullMarked;
