// SPDX-License-Identifier: Apache-2.0
/**
 * Bindings of libibverbs, written by hand in the shape that jextract gives them; the list of what is
 * bound is {@code src/main/jextract/verbs.args}. They differ from jextract's output where it cannot
 * do what is needed: functions capture {@code errno}, the library may be absent, optional functions
 * are looked up by symbol version, constants have a class of their own, and a mutex or condition at
 * the end of a struct is an array of longs. {@link io.nitinol.net.ib.ffi.Libibverbs}, {@link
 * io.nitinol.net.ib.ffi.DataPath} and {@link io.nitinol.net.ib.ffi.CLibrary} have no counterpart
 * there.
 */
@NullMarked
package io.nitinol.net.ib.ffi;

import org.jspecify.annotations.NullMarked;
