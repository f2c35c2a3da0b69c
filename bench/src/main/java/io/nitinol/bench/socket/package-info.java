// SPDX-License-Identifier: Apache-2.0

/** The TCP plugin between two threads over loopback, against plain non-blocking NIO. */
@NullMarked
package io.nitinol.bench.socket;

import org.jspecify.annotations.NullMarked;
