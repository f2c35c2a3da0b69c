// SPDX-License-Identifier: Apache-2.0
/**
 * The TCP connection that each comm keeps beside the fabric. Begin with {@link
 * io.nitinol.samples.libfabric.link.OfiLifeline}; a comm calls it on its thread.
 */
@NullMarked
package io.nitinol.samples.libfabric.link;

import org.jspecify.annotations.NullMarked;
