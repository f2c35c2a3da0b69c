// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.core.launch.JavaProcess;
import io.nitinol.core.plugin.RecordedLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Makes a region for two, and waits for the other one, which does not come. */
final class RegionProcess extends JavaProcess {
  RegionProcess(Path directory) throws IOException {
    super(
        List.of(),
        List.of("--enable-native-access=ALL-UNNAMED"),
        RegionProcess.class,
        List.of(directory.toString()));
  }

  /** Sends SIGTERM. */
  void terminate() {
    process.destroy();
  }

  public static void main(String[] args) throws InterruptedException {
    ShmDirectory directory = new ShmDirectory(Path.of(args[0]), new RecordedLog());
    SharedRegion region = SharedRegion.createFile(directory, 2 * SharedRegion.HEADER, 2);
    region.arrive(0);
    say("made " + region.handle().file());
    new CountDownLatch(1).await();
  }
}
