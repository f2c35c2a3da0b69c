// SPDX-License-Identifier: Apache-2.0

/** Version 8 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v8_t}. */
@NullMarked
package io.nitinol.spi.net.v8;

import org.jspecify.annotations.NullMarked;
