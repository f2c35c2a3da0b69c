// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system in memory that is full after a given number of bytes. It is mounted in a namespace
 * of its own; processes of the same user reach it by a path through {@code /proc}. It ends with
 * {@link #close} or with this process, once no file in it is used any more.
 */
public final class Tmpfs implements AutoCloseable {
  /** The directory that it is mounted on, inside its namespace; every system has it. */
  private static final String AT = "/tmp";

  private final Holder holder;
  private final Path path;

  private Tmpfs(Holder holder) {
    this.holder = holder;
    this.path = Path.of("/proc", Long.toString(holder.pid()), "root", AT);
  }

  /**
   * Makes one.
   *
   * @param bytes how much it holds, rounded up to pages
   * @throws Unavailable when that is not permitted, or util-linux is missing
   */
  public static Tmpfs open(long bytes) throws IOException, Unavailable {
    String script =
        "mount -t tmpfs -o mode=700,size=" + bytes + " tmpfs " + AT + " && echo ready && exec cat";
    Tmpfs made = new Tmpfs(Holder.start(List.of("unshare", "-r", "-m", "sh", "-c", script)));
    if (!Files.isWritable(made.path)) {
      made.close();
      throw new Unavailable(made.path + " cannot be written from outside its namespace");
    }
    return made;
  }

  /** Returns where it is, for all processes that see the same {@code /proc}. */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }
}
