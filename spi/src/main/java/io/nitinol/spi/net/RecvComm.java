// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/** The receiving end of a one-directional connection; mirrors the C {@code recvComm}. */
public interface RecvComm extends Comm {}
