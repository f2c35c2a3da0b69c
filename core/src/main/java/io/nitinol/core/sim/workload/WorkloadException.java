// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.workload;

/** Says why a workload cannot be used: the line, the value and what was expected. */
public final class WorkloadException extends Exception {
  private static final long serialVersionUID = 1L;

  WorkloadException(String message) {
    super(message);
  }
}
