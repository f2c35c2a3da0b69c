// SPDX-License-Identifier: Apache-2.0
/** The conformance kit, which checks a plugin against the numbered contract of the SPI. */
@NullMarked
package io.nitinol.compat;

import org.jspecify.annotations.NullMarked;
