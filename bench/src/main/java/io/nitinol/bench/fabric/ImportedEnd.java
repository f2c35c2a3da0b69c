// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.fabric;

import io.nitinol.bench.socket.EndProcess;
import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.FoundLibrary;
import io.nitinol.core.plugin.FoundLibrary.Plugin;
import io.nitinol.core.plugin.LibraryFinder;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.spi.net.v12.Net;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;

/** An end over a native plugin, such as aws-ofi-nccl, as core calls it. */
public final class ImportedEnd {
  /**
   * The name of aws-ofi-nccl for Neuron. Its versions 5 and 6 have members that NCCL's have not, so
   * a caller for NCCL would take one function for another.
   */
  private static final String NEURON = "AWS Libfabric";

  private static final int NEURON_VERSION = 4;

  private ImportedEnd() {}

  /**
   * Runs an end.
   *
   * @param arguments the library, then those of {@link EndProcess#main}
   */
  public static void main(String[] arguments) throws IOException {
    Net net = open(arguments[0]);
    EndProcess.run(Arrays.copyOfRange(arguments, 1, arguments.length), net);
  }

  private static Net open(String library) {
    FoundLibrary found = LibraryFinder.ofProgram().find(PluginKind.NET, library);
    Plugin newest =
        found.plugins().stream()
            .filter(plugin -> plugin.kind() == PluginKind.NET)
            .filter(plugin -> !plugin.name().equals(NEURON) || plugin.version() <= NEURON_VERSION)
            .max(Comparator.comparingInt(Plugin::version))
            .orElseThrow(() ->
                new IllegalStateException(
                    "no network plugin in " + library + ": " + found.failures()));
    return (Net)
        AdapterChain.from(PluginKind.NET, newest.version()).getLast().lift(newest.factory().get());
  }
}
