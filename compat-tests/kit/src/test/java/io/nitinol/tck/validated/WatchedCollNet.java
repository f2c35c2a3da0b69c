// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import io.nitinol.core.plugin.validate.ValidatingCollNet;
import io.nitinol.core.plugin.validate.ValidationMode;
import io.nitinol.spi.collnet.v6.CollNet;
import io.nitinol.tck.ForwardingCollNet;

/** A collective network behind the decorator, as a plugin of its own for the kit. */
abstract class WatchedCollNet extends ForwardingCollNet {

  WatchedCollNet(CollNet plugin, ValidationMode mode) {
    this(new ValidatingCollNet(plugin, 6, mode, Findings.LOG));
  }

  private WatchedCollNet(ValidatingCollNet validating) {
    super(validating);
    Findings.watch(validating::violations);
  }
}
