// SPDX-License-Identifier: Apache-2.0

/**
 * Version 5 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v5_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v5;

import org.jspecify.annotations.NullMarked;
