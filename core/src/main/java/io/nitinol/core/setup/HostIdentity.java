// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.shm.HostName;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32C;

/**
 * Computes a number that is the same for all processes of one host: NCCL's host hash. It is made of
 * the host's name and the boot's id, so that two hosts of one name and two boots of one host
 * differ, or of {@code NCCL_HOSTID}. Processes that do not see the same directory of shared memory,
 * as in containers, count as being on different hosts: they could share nothing.
 */
final class HostIdentity {
  private static final long PROCESS = new SecureRandom().nextLong();

  private static final long HOST = hash();

  private HostIdentity() {}

  /** Returns a number that is the same for all ranks of this process and for no others. */
  static long process() {
    return PROCESS;
  }

  static long of(Settings settings, DebugLogger logger) {
    String given = settings.get(CoreVariables.HOSTID).strip();
    long host = given.isEmpty() ? HOST : hash(given);
    return host * 31 + ShmDirectory.of(settings, logger).identity();
  }

  /** Returns the host's hash; where its name is not known, the process is a host of its own. */
  private static long hash() {
    String host = HostName.self();
    return hash(host == null ? "process " + PROCESS : host);
  }

  private static long hash(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return crc.getValue() << 32 | (text.hashCode() & 0xffff_ffffL);
  }
}
