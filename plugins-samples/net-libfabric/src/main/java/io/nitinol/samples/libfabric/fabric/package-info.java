// SPDX-License-Identifier: Apache-2.0
/**
 * Libfabric as objects: what it offers, a domain, registered memory and an endpoint. Begin with
 * {@link io.nitinol.samples.libfabric.fabric.Endpoint}; a comm calls it on its thread.
 */
@NullMarked
package io.nitinol.samples.libfabric.fabric;

import org.jspecify.annotations.NullMarked;
