// SPDX-License-Identifier: Apache-2.0

/**
 * Version 9 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v9_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v9;

import org.jspecify.annotations.NullMarked;
