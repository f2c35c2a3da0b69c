// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads Slurm's lists of hosts, such as {@code node[01-04,07]-ib,login}. */
@AnyThread
final class SlurmHosts {
  /** Text and brackets, by turns, up to the first comma outside of brackets. */
  private static final Pattern FIRST =
      Pattern.compile(
          "((?:[A-Za-z0-9._-]|\\[[0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*])+)(?:,.*)?");

  private static final Pattern BRACKETS = Pattern.compile("\\[([0-9]+)[-0-9,]*]");

  private SlurmHosts() {}

  /** Returns the first host of a list, or null where the text is not one. */
  static @Nullable String first(String list) {
    Matcher hosts = FIRST.matcher(list);
    return hosts.matches() ? BRACKETS.matcher(hosts.group(1)).replaceAll("$1") : null;
  }
}
