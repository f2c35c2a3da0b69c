// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/**
 * An operation in flight; mirrors the C {@code request}. It belongs to the plugin, which pools
 * them, and is dead once {@code test} has returned true for it or thrown what failed: the caller
 * must forget it then, since the same object may come back as another operation ({@code
 * NET-TEST-06}). Only {@code irecvConsumed}, where a plugin supports it, may still follow.
 */
public interface Request {}
