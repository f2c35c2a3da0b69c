// SPDX-License-Identifier: Apache-2.0

/** Version 5 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v5_t}. */
@NullMarked
package io.nitinol.spi.net.v5;

import org.jspecify.annotations.NullMarked;
