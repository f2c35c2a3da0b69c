// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/**
 * One end of an established connection, with which memory is registered. A plugin implements the
 * sub-interfaces with classes of its own and gets back the very objects it returned; one that is
 * not its own is {@link io.nitinol.spi.ResultCode#INVALID_ARGUMENT}.
 */
public interface Comm {}
