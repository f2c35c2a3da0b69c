// SPDX-License-Identifier: Apache-2.0

/** Version 6 of the network plugin interface, which mirrors NCCL's {@code ncclNet_v6_t}. */
@NullMarked
package io.nitinol.spi.net.v6;

import org.jspecify.annotations.NullMarked;
