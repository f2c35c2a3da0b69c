// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/** A point that accepts connections, made by {@code listen}; mirrors the C {@code listenComm}. */
public interface ListenComm {}
