// SPDX-License-Identifier: Apache-2.0

/**
 * Version 6 of the collective network plugin interface, which mirrors NCCL's {@code
 * ncclCollNet_v6_t}.
 */
@NullMarked
package io.nitinol.spi.collnet.v6;

import org.jspecify.annotations.NullMarked;
