// SPDX-License-Identifier: Apache-2.0

/** Which algorithm, protocol and number of channels an operation uses, and what that costs. */
@NullMarked
package io.nitinol.core.tuning;

import org.jspecify.annotations.NullMarked;
