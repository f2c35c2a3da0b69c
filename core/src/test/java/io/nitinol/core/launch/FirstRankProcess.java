// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Writes the unique id to a file, as rank 0 does, and waits for ranks that do not come. */
final class FirstRankProcess extends JavaProcess {
  FirstRankProcess(Path file) throws IOException {
    super(List.of(), List.of(), FirstRankProcess.class, List.of(file.toString()));
  }

  public static void main(String[] args) throws InterruptedException {
    Map<String, String> environment =
        Map.of("NITINOL_UNIQUE_ID_FILE", args[0], "NCCL_SOCKET_IFNAME", "lo");
    Settings settings = Settings.of(environment);
    try (UniqueId _ =
        Rendezvous.uniqueId(
            new RankEnvironment("Open MPI", 0, 2, 0), environment, settings, new Log(settings))) {
      say("written");
      new CountDownLatch(1).await();
    } catch (BootstrapException e) {
      say("refused " + e.getMessage());
    }
  }
}
