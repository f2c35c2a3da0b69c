// SPDX-License-Identifier: Apache-2.0

/** Version 9 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v9_t}. */
@NullMarked
package io.nitinol.spi.net.v9;

import org.jspecify.annotations.NullMarked;
