// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What is known of a listener. */
final class ListenerState extends Tracked {
  /** What {@code listen} wrote. */
  final byte[] handle;

  /** Whether a group was joined through it, which a listener serves once (COLL-01). */
  final AtomicBoolean joined = new AtomicBoolean();

  ListenerState(Validation validation, int device, @Nullable ContextState context, byte[] handle) {
    super(validation, "listener", validation.number(), device, context);
    this.handle = handle;
  }
}
