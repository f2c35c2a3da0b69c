// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

/** Says why a simulation ended without a result: what was too much, and what would help. */
public final class SimulationException extends Exception {
  private static final long serialVersionUID = 1L;

  SimulationException(String message) {
    super(message);
  }
}
