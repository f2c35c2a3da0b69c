// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.tck.Newest;
import io.nitinol.tck.NewestNet;
import io.nitinol.validate.ValidatingNet;

/** A network behind the decorator, as a plugin of its own of the newest version. */
abstract class WatchedNet extends NewestNet {

  WatchedNet(Object plugin, ValidationMode mode) {
    this(new ValidatingNet(Newest.net(plugin), Newest.netVersion(plugin), mode, Findings.LOG));
  }

  private WatchedNet(ValidatingNet validating) {
    super(validating);
    Findings.watch(validating::violations);
  }
}
