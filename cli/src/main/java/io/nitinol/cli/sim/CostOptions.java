// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.core.sim.EngineCosts;
import io.nitinol.toolkit.ErrorText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what steps take beside the wire. */
final class CostOptions {
  /** Where ranks run. */
  enum Place {
    /** On GPUs, a block for each channel. */
    GPU,
    /** On processors, a thread for each rank. */
    HOST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--ranks-on",
      paramLabel = "WHERE",
      description =
          "gpu: each channel runs by itself, messages go by RDMA (default); host: one thread runs"
              + " all channels of a rank, messages go through sockets.")
  private Place place = Place.GPU;

  @Option(
      names = "--latency",
      paramLabel = "MICROS",
      description = "What a message between hosts takes beside its bytes and switches; 4, host 10.")
  private @Nullable Double latency;

  @Option(
      names = "--switch-latency",
      paramLabel = "MICROS",
      description = "What each switch adds; 0.5.")
  private @Nullable Double switchLatency;

  @Option(
      names = "--step-latency",
      paramLabel = "MICROS",
      description = "What each step takes beside its bytes; 0.5, host 0.3.")
  private @Nullable Double stepLatency;

  @Option(
      names = "--copy-gbytes",
      paramLabel = "RATE",
      description = "GB/s that a channel copies; 200, host 40.")
  private @Nullable Double copy;

  @Option(
      names = "--reduce-gbytes",
      paramLabel = "RATE",
      description = "GB/s of one operand that a channel reduces; 100, host 15.")
  private @Nullable Double reduce;

  @Option(
      names = "--network-gbytes",
      paramLabel = "RATE",
      description =
          "GB/s that a rank's thread gives to the network or takes from it; host 4. 0: a device"
              + " does that.")
  private @Nullable Double network;

  @Option(
      names = "--header-bytes",
      paramLabel = "N",
      description = "How much longer a message is on the wire than its data; 16.")
  private @Nullable Integer header;

  @Option(
      names = "--incast-loss",
      paramLabel = "SHARE",
      description =
          "The share of a link that each flow beyond the first costs, such as 0.01; half is left at"
              + " the least. 0.")
  private @Nullable Double incast;

  boolean isHost() {
    return place == Place.HOST;
  }

  EngineCosts costs() {
    EngineCosts usual = isHost() ? EngineCosts.HOST : EngineCosts.GPU;
    return new EngineCosts(
        usual.serial(),
        rate("--copy-gbytes", copy, usual.copyRate()),
        rate("--reduce-gbytes", reduce, usual.reduceRate()),
        network != null && network == 0
            ? 0
            : rate("--network-gbytes", network, usual.networkRate()),
        value("--step-latency", stepLatency, usual.stepMicros(), 1e6),
        value("--latency", latency, usual.messageMicros(), 1e6),
        value("--switch-latency", switchLatency, usual.switchMicros(), 1e6),
        usual.signalMicros(),
        (int)
            value(
                "--header-bytes",
                header == null ? null : (double) header,
                usual.headerBytes(),
                65_536),
        value("--incast-loss", incast, usual.incast(), 1));
  }

  private static double rate(String name, @Nullable Double given, double usual) {
    if (given == null) {
      return usual;
    }
    if (!(given > 0) || given > 1e6) {
      throw CommandFailure.usage(
          ErrorText.of("%s=%s: expected more than 0, up to 1000000", name, given));
    }
    return given * 1000;
  }

  private static double value(String name, @Nullable Double given, double usual, double most) {
    if (given == null) {
      return usual;
    }
    if (!(given >= 0) || given > most) {
      throw CommandFailure.usage(ErrorText.of("%s=%s: expected 0 to %.0f", name, given, most));
    }
    return given;
  }
}
