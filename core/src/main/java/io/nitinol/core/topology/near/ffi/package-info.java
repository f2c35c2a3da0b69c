// SPDX-License-Identifier: Apache-2.0
/**
 * The functions of the C library by which a thread is bound to processors, bound in the shape of
 * jextract. {@link io.nitinol.core.topology.near.NearThreads} is the only one that calls them.
 */
@NullMarked
package io.nitinol.core.topology.near.ffi;

import org.jspecify.annotations.NullMarked;
