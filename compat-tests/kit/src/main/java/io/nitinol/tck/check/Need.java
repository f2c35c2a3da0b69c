// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

/** Something that a rule's test needs. If it is missing, the test is skipped with that reason. */
public enum Need {
  /** Interface v5 or newer: tags, multi-receives, connects that never wait. */
  V5,
  /** Interface v4. */
  V4_ONLY,
  /** Interface v5. */
  V5_ONLY,
  /** Interface v9 or newer: hints, virtual devices, sizes of 64 bits. */
  V9,
  /** Interface v11 or newer: a context for each communicator. */
  V11,
  /** A lane that calls the plugin's own version, without adapters. */
  DIRECT,
  /** A device that receives several pieces at once (maxRecvs above 1). */
  MULTI_RECEIVE,
  /** At least two devices. */
  TWO_DEVICES,
  /** A network that reaches other processes of this host. */
  PROCESSES,
  /** Permission to start a process with the plugin alone in it. */
  SOLO,
  /** Linux's /proc, from which descriptors, mappings and memory are counted. */
  PROC
}
