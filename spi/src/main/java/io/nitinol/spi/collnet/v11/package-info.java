// SPDX-License-Identifier: Apache-2.0

/**
 * Version 11 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v11_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v11;

import org.jspecify.annotations.NullMarked;
