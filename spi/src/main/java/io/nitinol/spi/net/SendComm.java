// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/** The sending end of a one-directional connection; mirrors the C {@code sendComm}. */
public interface SendComm extends Comm {}
