// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import io.nitinol.core.plugin.validate.ValidatingNet;
import io.nitinol.core.plugin.validate.ValidationMode;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.tck.ForwardingNet;

/** A network behind the decorator, as a plugin of its own for the kit. */
abstract class WatchedNet extends ForwardingNet {

  WatchedNet(Net plugin, ValidationMode mode) {
    this(new ValidatingNet(plugin, 6, mode, Findings.LOG));
  }

  private WatchedNet(ValidatingNet validating) {
    super(validating);
    Findings.watch(validating::violations);
  }
}
