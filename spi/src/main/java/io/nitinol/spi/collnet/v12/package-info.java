// SPDX-License-Identifier: Apache-2.0

/**
 * Version 12 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v12_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v12;

import org.jspecify.annotations.NullMarked;
