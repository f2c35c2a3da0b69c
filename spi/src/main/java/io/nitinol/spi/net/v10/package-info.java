// SPDX-License-Identifier: Apache-2.0

/** Version 10 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v10_t}. */
@NullMarked
package io.nitinol.spi.net.v10;

import org.jspecify.annotations.NullMarked;
