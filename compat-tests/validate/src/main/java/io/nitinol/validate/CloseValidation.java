// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import java.util.function.Consumer;

/** The close of comms: NET-CLOSE-01, NET-CLOSE-02, NET-CLOSE-06, NET-MEM-01. */
final class CloseValidation {
  private final Validation validation;

  CloseValidation(Validation validation) {
    this.validation = validation;
  }

  /**
   * Closes a comm.
   *
   * @param comm the caller's token
   * @param plugins the plugin's token, or the same where it is not one of ours
   * @param close the plugin's close
   */
  <C extends Comm> void close(PluginMethod method, C comm, C plugins, Consumer<C> close) {
    if (!(comm instanceof Tokens.OfComm own) || own.state().validation != validation) {
      try (ValidatedCall call = validation.setup.beside(method)) {
        call.begins();
        call.mistake("NET-ERR-02", "the comm is not of this network: " + comm);
        closePlugins(call, plugins, close, false);
      }
      return;
    }
    CommState state = own.state();
    try (ValidatedCall call = state.close(method)) {
      call.begins();
      call.admit();
      if (state.closed) {
        closePlugins(call, plugins, close, false);
        return;
      }
      for (Registration registration : state.registrations()) {
        PieceValidation.requireAlive(call, registration);
      }
      state.closed = true;
      try {
        closePlugins(call, plugins, close, true);
      } finally {
        // Dead whatever was thrown (NET-CLOSE-10), but for a refusal, which an open comm never
        // gets.
        state.operations.endAll();
        state.registrations().forEach(state::remove);
        validation.gone(plugins, state);
      }
    }
  }

  private static <C extends Comm> void closePlugins(
      ValidatedCall call, C plugins, Consumer<C> close, boolean open) {
    try {
      close.accept(plugins);
    } catch (Throwable e) {
      RuntimeException thrown = call.threw(e);
      if (open && e instanceof NetException net && net.result() == ResultCode.INVALID_ARGUMENT) {
        call.plugin("NET-CLOSE-06", "refused to close what is open: " + net.getMessage());
      }
      throw thrown;
    }
    call.returned("ok");
  }
}
