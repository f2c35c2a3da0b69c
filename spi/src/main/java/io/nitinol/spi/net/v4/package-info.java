// SPDX-License-Identifier: Apache-2.0

/** Version 4 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v4_t}. */
@NullMarked
package io.nitinol.spi.net.v4;

import org.jspecify.annotations.NullMarked;
