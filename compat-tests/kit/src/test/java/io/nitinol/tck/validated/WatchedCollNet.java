// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.tck.Newest;
import io.nitinol.tck.NewestCollNet;
import io.nitinol.validate.ValidatingCollNet;

/** A collective network behind the decorator, as a plugin of its own of the newest version. */
abstract class WatchedCollNet extends NewestCollNet {

  WatchedCollNet(Object plugin, ValidationMode mode) {
    this(
        new ValidatingCollNet(
            Newest.collNet(plugin), Newest.collNetVersion(plugin), mode, Findings.LOG));
  }

  private WatchedCollNet(ValidatingCollNet validating) {
    super(validating);
    Findings.watch(validating::violations);
  }
}
