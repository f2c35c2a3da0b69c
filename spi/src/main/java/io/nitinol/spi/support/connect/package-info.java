// SPDX-License-Identifier: Apache-2.0

/**
 * TCP connections between a listener and who was given its handle, proven on both sides before a
 * length from them is believed, and without any call that waits: what a network plugin's {@code
 * listen}, {@code connect} and {@code accept} need, whether its data moves on these connections or
 * they only carry what two network cards have to know of each other.
 *
 * <p>Exported to every plugin and part of what {@code spi/api.txt} freezes: who writes a plugin
 * outside this repository has the same need, and an export to the plugins that are in it would turn
 * the dependency around. So little is public: a {@link io.nitinol.spi.support.connect.Listener}, a
 * {@link io.nitinol.spi.support.connect.Connector}, and what they are told and tell.
 */
@NullMarked
package io.nitinol.spi.support.connect;

import org.jspecify.annotations.NullMarked;
