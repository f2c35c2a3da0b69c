// SPDX-License-Identifier: Apache-2.0

/** Version 7 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v7_t}. */
@NullMarked
package io.nitinol.spi.net.v7;

import org.jspecify.annotations.NullMarked;
