// SPDX-License-Identifier: Apache-2.0
/**
 * Bindings of libfabric, in the shape that jextract gives them; the list of what is bound is {@code
 * src/main/jextract/fabric.args}. They differ from jextract's output where it cannot do what is
 * needed: the library may be absent, and structs that newer versions make longer are bound as far
 * as they are used. {@link io.nitinol.samples.libfabric.ffi.Libfabric} and {@link
 * io.nitinol.samples.libfabric.ffi.FabricCalls} have no counterpart there. Begin with {@code
 * fabric_h}; the classes of the package above call it.
 */
@NullMarked
package io.nitinol.samples.libfabric.ffi;

import org.jspecify.annotations.NullMarked;
