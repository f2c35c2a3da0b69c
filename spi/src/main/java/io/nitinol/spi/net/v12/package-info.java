// SPDX-License-Identifier: Apache-2.0

/** Version 12 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v12_t}. */
@NullMarked
package io.nitinol.spi.net.v12;

import org.jspecify.annotations.NullMarked;
