// SPDX-License-Identifier: Apache-2.0

/** The log, configured by {@code NCCL_DEBUG} and its companions, in NCCL's line format. */
@NullMarked
package io.nitinol.core.log;

import org.jspecify.annotations.NullMarked;
