// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What this machine's kernel holds for users of its RDMA devices, and which sockets and devices
 * this process has open: to be the same before and after.
 *
 * @param resources for each device its queue pairs, completion queues, regions, domains, contexts
 * @param descriptors how many descriptors of sockets, devices and the like this process has
 */
record Held(List<String> resources, long descriptors) {

  static Held now() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return new Held(
          Command.run("rdma", "resource", "show").strip().lines().toList(),
          open.filter(Held::counts).count());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Files do not count: the JVM opens jars when it likes. */
  private static boolean counts(Path link) {
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("socket:")
          || target.startsWith("anon_inode:")
          || target.contains("infiniband");
    } catch (IOException e) {
      return false; // the descriptor of the listing itself
    }
  }
}
