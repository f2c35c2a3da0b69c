// SPDX-License-Identifier: Apache-2.0

/**
 * Version 7 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v7_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v7;

import org.jspecify.annotations.NullMarked;
