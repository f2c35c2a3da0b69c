// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A number that is the same for all processes of one host: NCCL's host hash, made of the host's
 * name and the boot's id, so that two hosts of one name and two boots of one host are told apart.
 */
final class HostIdentity {
  private static final long CURRENT = hash();

  private HostIdentity() {}

  static long current() {
    return CURRENT;
  }

  private static long hash() {
    // The files are there on every Linux; elsewhere the process is a host of its own.
    return (long) crc(Path.of("/proc/sys/kernel/hostname")) << 32
        | crc(Path.of("/proc/sys/kernel/random/boot_id"));
  }

  private static int crc(Path file) {
    byte[] text;
    try {
      text = Files.readAllBytes(file);
    } catch (IOException e) {
      text = ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
    }
    CRC32C crc = new CRC32C();
    crc.update(text);
    return (int) crc.getValue();
  }
}
