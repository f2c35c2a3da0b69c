// SPDX-License-Identifier: Apache-2.0

/**
 * Connections over a network plugin: {@link NetTransport} makes them, {@link NetSend} and {@link
 * NetReceive} are their ends. Their {@code progress} is the only place of the data path that calls
 * a plugin. The driving thread calls it, but for sends that a helper has taken over ({@code
 * SendHelp}).
 */
@NullMarked
package io.nitinol.core.transport.net;

import org.jspecify.annotations.NullMarked;
