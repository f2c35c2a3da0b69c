// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Puts a decorator around a network that checks each call against the contract: what {@code
 * NITINOL_VALIDATE} asks for. A service, which the artifact {@code nitinol-validate} provides; core
 * looks for it only where the variable is set.
 */
@AnyThread
public interface NetDecorator {

  /**
   * Decorates a network on which {@code init} has not been called yet.
   *
   * @param net the network, as the newest version
   * @param version the version of the interface that the plugin implements itself
   * @param mode what happens to a call that breaks a rule; never {@link ValidationMode#OFF}
   * @param logger where broken rules are written
   */
  Net decorate(Net net, int version, ValidationMode mode, DebugLogger logger);

  /** Decorates a network on which {@code init} has returned; else as {@link #decorate}. */
  Net decorateStarted(Net net, int version, ValidationMode mode, DebugLogger logger);

  /** Decorates a collective network on which {@code init} has returned; else the same. */
  CollNet decorateStarted(CollNet collNet, int version, ValidationMode mode, DebugLogger logger);

  /**
   * Returns the decorator of this program.
   *
   * @param mode what is asked for, for the message
   * @throws NetException with INVALID_USAGE where nothing provides one, or it cannot be loaded
   */
  static NetDecorator required(ValidationMode mode) {
    String why = "no module provides it";
    try {
      ClassLoader loader = NetDecorator.class.getClassLoader();
      var found = ServiceLoader.load(NetDecorator.class, loader).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
    } catch (ServiceConfigurationError e) {
      why = PluginCall.describe(e);
    }
    throw new NetException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "%s=%d asks for checked calls, and the validator is not here (%s): add the artifact"
                + " io.nitinol:nitinol-validate to the module path or class path, or leave %s"
                + " unset",
            CoreVariables.VALIDATE, mode.ordinal(), why, CoreVariables.VALIDATE));
  }
}
