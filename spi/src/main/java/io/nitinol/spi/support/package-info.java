// SPDX-License-Identifier: Apache-2.0

/** Mechanisms that several plugins need and that none should write again. */
@NullMarked
package io.nitinol.spi.support;

import org.jspecify.annotations.NullMarked;
