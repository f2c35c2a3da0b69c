// SPDX-License-Identifier: Apache-2.0

/**
 * What core and several plugins need and none should write again: text for addresses, {@code
 * host:port}, words of a shell, the search for network interfaces in NCCL's order, and the proof
 * that a peer knows a secret.
 *
 * <p>Neither this package nor those below it ({@link io.nitinol.toolkit.proof}, {@link
 * io.nitinol.toolkit.control}, {@link io.nitinol.toolkit.connect}, {@link io.nitinol.toolkit.file},
 * {@link io.nitinol.toolkit.team}) are part of the frozen plugin interface. A plugin that ships
 * alone bundles the version that it was compiled against; a plugin without a copy gets the host's.
 */
@NullMarked
package io.nitinol.toolkit;

import org.jspecify.annotations.NullMarked;
