// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.NetException;
import java.util.Objects;

/** The plugin threw in a call that is not the one that the command is named after. */
final class CallFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String rule;
  private final String call;

  CallFailed(String rule, String call, NetException failure) {
    super(failure);
    this.rule = rule;
    this.call = call;
  }

  /** Returns the rule that is broken where the call must not fail. */
  String rule() {
    return rule;
  }

  /** Returns the method of the plugin. */
  String call() {
    return call;
  }

  /** Returns what the plugin threw. */
  NetException failure() {
    return (NetException) Objects.requireNonNull(getCause());
  }
}
