// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import io.nitinol.cli.perf.ByteSize;
import io.nitinol.net.collnet.node.SwitchOptions;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code nitinol switch} and what is allowed for them. */
final class SwitchSettings {
  private static final String SECRET_VARIABLE = "NITINOL_COLLNET_SECRET";
  private static final String COMM_SECRET_VARIABLE = "NITINOL_COMM_SECRET";

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      required = true,
      converter = HostPort.class,
      description =
          "Where ranks and lower switches come to; the address that they use. Port 0 takes any that"
              + " is free.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private InetSocketAddress listen;

  @Option(
      names = "--parent",
      paramLabel = "HOST:PORT",
      converter = HostPort.OfAnother.class,
      description = "The switch above this one. Without it this one is the root of its tree.")
  private @Nullable InetSocketAddress parent;

  @Option(
      names = "--secret",
      paramLabel = "FILE",
      description =
          "A file with the secret that ranks and all switches of a tree share. Default:"
              + " NITINOL_COLLNET_SECRET, which names a file, or else the text"
              + " NITINOL_COMM_SECRET.")
  private @Nullable Path secret;

  @Option(
      names = "--open",
      description = "Do without a secret also where other hosts can reach --listen.")
  private boolean open;

  @Option(
      names = "--radix",
      paramLabel = "N",
      description = "How many children a group may have here. Default: " + SwitchOptions.RADIX)
  private @Nullable Integer radix;

  @Option(
      names = "--net",
      paramLabel = "NAME",
      description =
          "The network plugin that carries the data, such as Socket or IB: any that nitinol plugins"
              + " shows, of any version. Default: Socket")
  private @Nullable String net;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "How many threads move and reduce data. Default: half of the processors, at" + " most 8")
  private @Nullable Integer threads;

  @Option(
      names = "--max-groups",
      paramLabel = "N",
      description =
          "How many groups may exist at once; each communicator makes one for each of its channels."
              + " Default: "
              + SwitchOptions.MAX_GROUPS)
  private @Nullable Integer maxGroups;

  @Option(
      names = "--group-memory",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description =
          "How much memory a group may have, in bytes, also with K, M or G. The switch never has"
              + " more than this times --max-groups. Default: 64M")
  private @Nullable Long groupMemory;

  @Option(
      names = "--segment",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "The size of the pieces in which data is reduced. Default: 128K")
  private @Nullable Long segment;

  @Option(
      names = "--stats",
      paramLabel = "[HOST:]PORT",
      converter = StatsAddress.class,
      description =
          "Show statistics at http://HOST:PORT/, and in Prometheus' text format at /metrics. HOST"
              + " is 127.0.0.1 where none is named. Default: nowhere")
  private @Nullable InetSocketAddress stats;

  @Nullable InetSocketAddress stats() {
    return stats;
  }

  /** Returns whether strangers can be kept out. */
  boolean isSecret(Settings settings) {
    return !file(settings).isEmpty() || !text(settings, COMM_SECRET_VARIABLE).isEmpty();
  }

  private String file(Settings settings) {
    return secret != null ? secret.toString() : text(settings, SECRET_VARIABLE);
  }

  private static String text(Settings settings, String name) {
    String value = settings.raw(name);
    return value == null ? "" : value;
  }

  /**
   * Returns what the options ask for.
   *
   * @throws ParameterException when they make no sense; the message says which and why
   */
  SwitchOptions options(CommandLine command, Settings settings) {
    if (parent != null && parent.equals(listen)) {
      throw new ParameterException(
          command, "--parent " + Addresses.text(parent) + " is this switch itself (--listen)");
    }
    if (secret != null && !Files.isReadable(secret)) {
      throw new ParameterException(
          command,
          ErrorText.of(
              "--secret %s: %s",
              secret, Files.exists(secret) ? "may not be read" : "there is no such file"));
    }
    if (!open && !isSecret(settings) && !listen.getAddress().isLoopbackAddress()) {
      throw new ParameterException(
          command,
          ErrorText.of(
              "--listen %s can be reached by other hosts: give --secret FILE, the same to all "
                  + "ranks (NITINOL_COLLNET_SECRET) and switches, or --open to serve everybody",
              Addresses.text(listen)));
    }
    byte[] key;
    try {
      key = SwitchOptions.keyOf(file(settings), text(settings, COMM_SECRET_VARIABLE));
    } catch (NetException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
    SwitchOptions options = SwitchOptions.at(listen, key).withParent(parent);
    options =
        with(
            command,
            "--max-groups",
            maxGroups,
            options,
            (o, groups) -> o.withLimits(groups, o.groupMemoryBytes()));
    options =
        with(
            command,
            "--group-memory",
            groupMemory,
            options,
            (o, bytes) -> o.withLimits(o.maxGroups(), bytes));
    options = with(command, "--radix", radix, options, SwitchOptions::withRadix);
    options = with(command, "--net", net, options, SwitchOptions::withNet);
    options = with(command, "--threads", threads, options, SwitchOptions::withThreads);
    return with(
        command,
        "--segment",
        segment,
        options,
        (o, bytes) -> o.withSegmentBytes((int) Math.min(bytes, Integer.MAX_VALUE)));
  }

  /** Returns the options with the value of one, if it is given; a mistake names it as typed. */
  private static <T> SwitchOptions with(
      CommandLine command,
      String name,
      @Nullable T value,
      SwitchOptions options,
      BiFunction<SwitchOptions, T, SwitchOptions> change) {
    if (value == null) {
      return options;
    }
    try {
      return change.apply(options, value);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, name + ": " + e.getMessage(), e);
    }
  }

  /** As {@link HostPort}; a port alone is one of the loopback interface. */
  static final class StatsAddress implements ITypeConverter<InetSocketAddress> {
    @Override
    public InetSocketAddress convert(String text) {
      boolean alone = text.chars().noneMatch(c -> c == ':');
      String whole = alone ? InetAddress.getLoopbackAddress().getHostAddress() + ":" + text : text;
      return HostPort.read(whole, text, 0, "; or a port alone, of 127.0.0.1");
    }
  }
}
