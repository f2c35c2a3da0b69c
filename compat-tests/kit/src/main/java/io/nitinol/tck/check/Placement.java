// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

/** The process and the plugin instance in which a rule's test runs. */
public enum Placement {
  /** In the kit's process, on a plugin instance that earlier tests have used without failing. */
  SHARED,
  /** In the kit's process, on a plugin instance of its own. */
  FRESH,
  /** In a process of its own, where resources can be counted; one such at a time. */
  PROCESS,
  /**
   * In a process of its own that mostly waits: started with the run, beside all other tests, so
   * that its bound is waited for once.
   */
  PROCESS_WAITING
}
