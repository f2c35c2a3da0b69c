// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What NCCL 2.28.9 wrote on a virtual machine with H100s: its topology, its graphs, and lines of
 * its log with {@code NCCL_NVLS_ENABLE=0}.
 */
public final class RecordedMachine {
  private RecordedMachine() {}

  /** Returns a file beside this class, among the resources. */
  public static String text(String name) {
    try (InputStream in = RecordedMachine.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("there is no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the topology with a number of GPUs. */
  public static Topology topology(int gpus) throws TopologyException {
    String name = "h100-" + gpus + "-topology.xml";
    return TopologyDocument.parse(name, text(name).getBytes(StandardCharsets.UTF_8)).topology();
  }

  /** Returns the lines of the log that have a text. */
  public static List<String> log(int gpus, String with) {
    return text("h100-" + gpus + "-log.txt").lines().filter(line -> line.contains(with)).toList();
  }
}
