// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

/** Is told of ranks that failed. */
@FunctionalInterface
public interface FailureListener {

  /**
   * A rank failed: its process died, it aborted, or another rank gave it up. Called once per failed
   * rank, on the bootstrap's own thread or on the thread that registers the listener. It must be
   * quick and must not wait for the bootstrap.
   *
   * @param rank the rank that failed; may be this rank itself, where another gave it up
   * @param reason what was seen, human-readable
   */
  void failed(int rank, String reason);
}
