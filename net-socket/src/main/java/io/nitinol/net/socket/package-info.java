// SPDX-License-Identifier: Apache-2.0

/**
 * The TCP network plugin.
 *
 * <p>Begin with {@link io.nitinol.net.socket.SocketNet}, the plugin as core or NCCL calls it. A
 * connection goes from {@link io.nitinol.net.socket.SocketDevice} and {@link
 * io.nitinol.net.socket.CommStart} to one end of a comm: {@link
 * io.nitinol.net.socket.SocketSendComm} or {@link io.nitinol.net.socket.SocketRecvComm}. The thread
 * that calls {@code isend} and {@code test} drives that end and moves its bytes.
 *
 * <p>Below this package, from top to bottom: {@code stream} are the connections of a comm beside
 * its control stream, {@code request} the messages in flight, {@code wire} single connections,
 * {@code config} the variables, {@code tls} the encryption and {@code ffi} the calls into the C
 * library. A lower package does not know a higher one.
 */
@NullMarked
package io.nitinol.net.socket;

import org.jspecify.annotations.NullMarked;
