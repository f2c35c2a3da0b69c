// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture.wrong.a;

import io.nitinol.compat.architecture.wrong.b.B;
import io.nitinol.compat.architecture.wrong.ffi.Bindings;

/** One half of a cycle. */
public class A {
  public B other;
  public Bindings bindings;
}
