// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture.wrong.b;

import io.nitinol.compat.architecture.wrong.a.A;
import io.nitinol.compat.architecture.wrong.ffi.Bindings;

/** One half of a cycle. */
public class B {
  public A other;
  public Bindings bindings;
}
