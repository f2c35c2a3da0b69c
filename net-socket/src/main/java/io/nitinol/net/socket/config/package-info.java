// SPDX-License-Identifier: Apache-2.0

/**
 * The variables of the TCP plugin and what follows from them.
 *
 * <p>{@link io.nitinol.net.socket.config.SocketVariables} declares each variable once. {@link
 * io.nitinol.net.socket.config.SocketOptions} reads them at init; {@link
 * io.nitinol.net.socket.config.ProcessorDefaults} fills in where a variable is not set.
 */
@NullMarked
package io.nitinol.net.socket.config;

import org.jspecify.annotations.NullMarked;
