// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/**
 * A plugin's state for one communicator, from {@code init} to {@code finalize}; mirrors the C
 * {@code ctx} of version 11 and later.
 */
public interface NetContext {}
