// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.core.plugin.NetDecorator;
import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.v12.Net;

/** The decorators of this module, as core finds them where {@code NITINOL_VALIDATE} is set. */
public final class ValidatingDecorator implements NetDecorator {

  /** Made by ServiceLoader. */
  public ValidatingDecorator() {}

  @Override
  public Net decorate(Net net, int version, ValidationMode mode, DebugLogger logger) {
    return new ValidatingNet(net, version, mode, logger);
  }

  @Override
  public Net decorateStarted(Net net, int version, ValidationMode mode, DebugLogger logger) {
    return ValidatingNet.started(net, version, mode, logger);
  }

  @Override
  public CollNet decorateStarted(
      CollNet collNet, int version, ValidationMode mode, DebugLogger logger) {
    return ValidatingCollNet.started(collNet, version, mode, logger);
  }
}
