// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

/**
 * The part of the system that a log line is about; mirrors {@code ncclDebugLogSubSys}, bits of a
 * mask.
 */
public enum LogSubsystem {
  /** Initialization. */
  INIT(0x1),
  /** Collectives. */
  COLL(0x2),
  /** Transport between GPUs or processes of one host. */
  P2P(0x4),
  /** Shared memory. */
  SHM(0x8),
  /** Network plugins. */
  NET(0x10),
  /** Topology search. */
  GRAPH(0x20),
  /** Choice of algorithm and protocol. */
  TUNING(0x40),
  /** Variables. */
  ENV(0x80),
  /** Memory allocation. */
  ALLOC(0x100),
  /** Calls of the public interface. */
  CALL(0x200),
  /** The progress engine. */
  PROXY(0x400),
  /** NVLink SHARP. */
  NVLS(0x800),
  /** Bootstrap. */
  BOOTSTRAP(0x1000),
  /** Memory registration. */
  REG(0x2000),
  /** Profiling. */
  PROFILE(0x4000),
  /** Reliability, availability, serviceability. */
  RAS(0x8000),
  /** Destruction of communicators. */
  DESTROY(0x10000),
  /** Host memory allocation. */
  ALLOC_HOST(0x20000);

  /** All subsystems at once; what a warning carries. */
  public static final long ALL = ~0L;

  private final long mask;

  LogSubsystem(long mask) {
    this.mask = mask;
  }

  /** {@return the bit of this subsystem in a flags mask} */
  public long mask() {
    return mask;
  }
}
