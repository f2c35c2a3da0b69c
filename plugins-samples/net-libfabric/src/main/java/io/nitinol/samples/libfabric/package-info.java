// SPDX-License-Identifier: Apache-2.0
/**
 * A network plugin over libfabric: tagged messages between reliable-datagram endpoints. Begin with
 * {@link io.nitinol.samples.libfabric.OfiNet}, which core calls; {@code OfiCommEnd} is one end of a
 * connection.
 */
@NullMarked
package io.nitinol.samples.libfabric;

import org.jspecify.annotations.NullMarked;
