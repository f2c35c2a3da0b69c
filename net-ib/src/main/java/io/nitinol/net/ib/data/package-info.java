// SPDX-License-Identifier: Apache-2.0

/**
 * The data path of a connection: the receiver's clear-to-send entries, the sender's chains of RDMA
 * writes, completions and requests, and how a comm fails or goes on without a port.
 *
 * <p>Begin with {@link io.nitinol.net.ib.data.IbSendEnd} and {@link
 * io.nitinol.net.ib.data.IbRecvEnd}, which {@link io.nitinol.net.ib.IbNet} calls on the thread that
 * drives the comm, and with {@link io.nitinol.net.ib.data.IbCommEnd#test}, their common progress.
 * Both stand on an {@link io.nitinol.net.ib.data.IbConnection}, whose queue pairs are made in
 * {@link io.nitinol.net.ib.connect}.
 */
@NullMarked
package io.nitinol.net.ib.data;

import org.jspecify.annotations.NullMarked;
