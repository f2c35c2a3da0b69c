// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a call until it has a result, such as a request or a comm. One thread.
 *
 * @param <T> what the call returns
 */
public final class Seen<T> {
  private @Nullable T value;

  /** Makes the call unless it has had a result; true when it has. */
  public boolean by(Supplier<? extends @Nullable T> call) {
    if (value == null) {
      value = call.get();
    }
    return value != null;
  }

  /** Returns the result; null before. */
  public @Nullable T orNull() {
    return value;
  }

  /** Returns the result, which must not be null. */
  public T get() {
    return Objects.requireNonNull(value);
  }
}
