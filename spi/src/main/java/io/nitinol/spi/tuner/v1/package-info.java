// SPDX-License-Identifier: Apache-2.0

/**
 * Version 1 of the tuner interface: a plugin that changes the expected costs of algorithms and so
 * the choice among them. It mirrors NCCL's {@code ncclTuner}.
 */
@NullMarked
package io.nitinol.spi.tuner.v1;

import org.jspecify.annotations.NullMarked;
