// SPDX-License-Identifier: Apache-2.0

/** The tokens that the operations of every Net and CollNet version pass around. */
@NullMarked
package io.nitinol.spi.net;

import org.jspecify.annotations.NullMarked;
