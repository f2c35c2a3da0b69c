// SPDX-License-Identifier: Apache-2.0

/**
 * TCP connections between a listener and a side that was given its handle, proven on both sides
 * before a length from them is believed, and without any call that waits: what a network plugin's
 * {@code listen}, {@code connect} and {@code accept} need, whether its data moves on these
 * connections or they only carry what two network cards have to know of each other.
 *
 * <p>Begin with {@link io.nitinol.toolkit.connect.Listener} and {@link
 * io.nitinol.toolkit.connect.Connector}; the rest is what they are told and tell. Network plugins
 * call both from the threads that call the plugin; nothing here starts a thread.
 */
@NullMarked
package io.nitinol.toolkit.connect;

import org.jspecify.annotations.NullMarked;
