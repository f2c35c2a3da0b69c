// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture.wrong.ffi;

/** Bindings that two packages use. */
public class Bindings {}
