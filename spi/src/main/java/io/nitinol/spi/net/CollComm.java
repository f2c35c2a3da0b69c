// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/** A member's end of a collective network group; mirrors the C {@code collComm}. */
public interface CollComm extends Comm {}
