// SPDX-License-Identifier: Apache-2.0
/** The functions of the C library that sockets are used with, and the layout of what they take. */
@NullMarked
package io.nitinol.net.socket.ffi;

import org.jspecify.annotations.NullMarked;
