// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.device.PerfDevicePlan;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code nitinol perf} for the memory of devices, as nccl-tests has them. */
final class PerfDeviceOptions {
  private static final int MOST_LAUNCHES = 1_000_000;

  /** nccl-tests' 1 is for this process, 2 for all ranks at the same place: windows are both. */
  private static final int MOST_REGISTRATION = 2;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description =
          "Measure on the memory of devices: cuda, or cpu for the twin that needs none. Default: on"
              + " the memory of the host.")
  private @Nullable String name;

  @Option(
      names = {"-g", "--ngpus"},
      paramLabel = "DEVICES",
      description =
          "With --device: how many ranks, each with a device, are threads of one process. Default:"
              + " 1. Without -n there is one process.")
  private @Nullable Integer perProcess;

  @Option(
      names = {"-G", "--graph", "--cudagraph"},
      paramLabel = "N",
      description =
          "With --device: record the iterations as a graph, and launch that so often. Default: 0,"
              + " for no graph.")
  private @Nullable Integer launches;

  @Option(
      names = {"-R", "--register", "--local_register"},
      paramLabel = "0|1|2",
      arity = "0..1",
      fallbackValue = "1",
      description =
          "With --device: register the buffers as windows, which operations use in place; 1 and 2"
              + " are the same. Default: 0, or 1 where only -R is given.")
  private @Nullable Integer registration;

  /** Returns how many ranks to start where only {@code -g} says so, or null. */
  @Nullable Integer ranks() {
    return name == null ? null : perProcess;
  }

  /** Returns how many ranks a process has. */
  int ranksPerProcess() {
    return name == null || perProcess == null ? 1 : perProcess;
  }

  /** Returns whether devices were asked for. */
  boolean isGiven() {
    return name != null;
  }

  /**
   * Returns on what devices to measure, or null for none.
   *
   * @param count how many ranks there are
   * @param threads whether {@code --threads} was given
   */
  @Nullable PerfDevicePlan plan(
      CommandLine command, int count, boolean threads, PerfPlan.Blocking blocking) {
    String device = name;
    if (device == null) {
      requireNone(command);
      return null;
    }
    PerfOptions.require(command, !device.isBlank(), "--device: expected the name of a provider");
    int each = ranksPerProcess();
    PerfOptions.require(command, each >= 1, "-g must be 1 or more");
    PerfOptions.require(
        command,
        !threads || perProcess == null,
        "-g says how many ranks are threads of one process, and --threads makes all of them so:"
            + " give one of the two");
    PerfOptions.require(
        command,
        count % each == 0,
        ErrorText.of(
            "-n %d ranks cannot be divided among processes of %d (-g); expected a multiple of %d",
            count, each, each));
    int graphs = launches == null ? 0 : launches;
    PerfOptions.require(
        command,
        graphs >= 0 && graphs <= MOST_LAUNCHES,
        ErrorText.of("--graph %d: expected a number from 0 to %d", graphs, MOST_LAUNCHES));
    PerfOptions.require(
        command,
        graphs == 0 || blocking == PerfPlan.Blocking.NONE,
        "--graph launches all iterations as one: -z and --percentiles do not go with it");
    int windows = registration == null ? 0 : registration;
    PerfOptions.require(
        command,
        windows >= 0 && windows <= MOST_REGISTRATION,
        ErrorText.of("--register must be from 0 to %d", MOST_REGISTRATION));
    return new PerfDevicePlan(device, each, graphs, windows > 0);
  }

  private void requireNone(CommandLine command) {
    PerfOptions.require(
        command,
        perProcess == null,
        "-g goes with --device: on host memory a rank is a process, or a thread with --threads; -n"
            + " says how many");
    PerfOptions.require(
        command,
        launches == null,
        "--graph goes with --device: there are no graphs of operations on host memory");
    PerfOptions.require(
        command,
        registration == null,
        "--register goes with --device: of host memory the network registers what it needs by"
            + " itself");
  }
}
