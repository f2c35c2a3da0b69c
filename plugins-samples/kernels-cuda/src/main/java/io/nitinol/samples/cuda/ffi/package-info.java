// SPDX-License-Identifier: Apache-2.0
/**
 * Bindings of the CUDA driver, of NVML and of this module's own {@code params.h}, in the shape that
 * jextract gives them; the lists of what is bound are in {@code src/main/jextract}. They differ from
 * jextract's output where it cannot do what is needed: a library may be absent, functions of the
 * driver are asked for by cuGetProcAddress with a version, constants have a class of their own, and
 * scalars of a struct have no layout accessors. {@link io.nitinol.samples.cuda.ffi.Libcuda} and
 * {@link io.nitinol.samples.cuda.ffi.Libnvml} have no counterpart there.
 */
@NullMarked
package io.nitinol.samples.cuda.ffi;

import org.jspecify.annotations.NullMarked;
