// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A C source among the resources of a module, for what Java cannot do to another process. */
public final class CSource {
  private final Class<?> owner;
  private final String name;

  /**
   * Names a source.
   *
   * @param owner a class of its package
   * @param name its file name
   */
  public CSource(Class<?> owner, String name) {
    this.owner = owner;
    this.name = name;
  }

  /**
   * Builds it with {@code cc}.
   *
   * @param result the program or library to be made, in a directory that has no file of that name
   * @throws Unavailable when there is no compiler
   * @throws IOException when the compiler refuses the source; the message has its output
   */
  public void build(Path result, String... options) throws IOException, Unavailable {
    Path source = result.resolveSibling(name);
    try (InputStream text = owner.getResourceAsStream(name)) {
      if (text == null) {
        throw new IOException(name + " is not among the resources");
      }
      Files.copy(text, source);
    }
    List<String> command = new ArrayList<>(List.of("cc", "-O2", "-o", result.toString()));
    command.addAll(List.of(options));
    command.add(source.toString());
    Process compiler;
    try {
      compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new Unavailable("no C compiler: " + e.getMessage());
    }
    String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (compiler.waitFor() != 0) {
        throw new IOException("cc cannot build " + name + ":\n" + words);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while building " + name, e);
    }
  }
}
