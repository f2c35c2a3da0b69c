// SPDX-License-Identifier: Apache-2.0

/** Version 11 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v11_t}. */
@NullMarked
package io.nitinol.spi.net.v11;

import org.jspecify.annotations.NullMarked;
