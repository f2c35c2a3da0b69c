// SPDX-License-Identifier: Apache-2.0

/**
 * What a device provider may tell of the links of its devices, version 1. Begin with {@link
 * io.nitinol.spi.topology.v1.WiredDevices}; core asks it when it finds out what a machine is made
 * of, and a provider that does not implement it loses nothing else.
 */
@NullMarked
package io.nitinol.spi.topology.v1;

import org.jspecify.annotations.NullMarked;
