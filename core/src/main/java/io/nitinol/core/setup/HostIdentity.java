// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.zip.CRC32C;

/**
 * Computes a number that is the same for all processes of one host: NCCL's host hash. It is made of
 * the host's name and the boot's id, so that two hosts of one name and two boots of one host
 * differ, or of {@code NCCL_HOSTID}. Processes that do not see the same directory of shared memory,
 * as in containers, count as being on different hosts: they could share nothing.
 */
final class HostIdentity {
  private static final long HOST = hash();

  private static final long PROCESS = new SecureRandom().nextLong();

  private HostIdentity() {}

  /** Returns a number that is the same for all ranks of this process and for no others. */
  static long process() {
    return PROCESS;
  }

  static long of(Settings settings, DebugLogger logger) {
    String given = settings.get(CoreVariables.HOSTID).strip();
    long host =
        given.isEmpty()
            ? HOST
            : (long) crc(given.getBytes(StandardCharsets.UTF_8)) << 32
                | (given.hashCode() & 0xffff_ffffL);
    return host * 31 + ShmDirectory.of(settings, logger).identity();
  }

  private static long hash() {
    // The files are there on every Linux; elsewhere the process is a host of its own.
    return (long) crc(Path.of("/proc/sys/kernel/hostname")) << 32
        | (crc(Path.of("/proc/sys/kernel/random/boot_id")) & 0xffff_ffffL);
  }

  private static int crc(Path file) {
    try {
      return crc(Files.readAllBytes(file));
    } catch (IOException e) {
      return crc(("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static int crc(byte[] text) {
    CRC32C crc = new CRC32C();
    crc.update(text);
    return (int) crc.getValue();
  }
}
