// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture.wrong;

import java.io.IOException;
import java.lang.foreign.Linker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Logger;

/** Everything that a class of ours may not do; its package is not null-marked either. */
public class BadManager {
  Logger logger = Logger.getLogger("x");
  Object linker = Linker.nativeLinker();

  @SuppressWarnings("removal")
  sun.misc.Unsafe unsafe;

  native void jni();

  void run() throws InterruptedException {
    System.out.println("hello");
    Thread.sleep(1);
  }

  void write(Path path) throws IOException {
    Files.writeString(path, "over whatever is there");
  }
}
