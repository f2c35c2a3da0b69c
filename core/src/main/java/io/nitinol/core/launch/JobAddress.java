// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address of rank 0 that every rank of a job derives from its environment alone. It takes the
 * place of {@code NCCL_COMM_ID}; the job's name takes that of {@code NITINOL_COMM_SECRET}, so that
 * two jobs that happen to derive one address do not mix. Neither is a secret.
 *
 * @param place host and port, as {@code NCCL_COMM_ID} has them
 * @param job what tells the job from others
 * @param source the variables that it comes from, for messages
 */
@AnyThread
record JobAddress(String place, String job, String source) {
  /** torchrun's rank 0 is at port 29500, unless told otherwise; this is the next one. */
  private static final int POD_PORT = 29_501;

  /** Below the ports that Linux gives out by itself, which begin at 32768. */
  private static final int FIRST_PORT = 15_000;

  private static final int PORTS = 16_384;

  private static final String MASTER_ADDR = "MASTER_ADDR";
  private static final String MASTER_PORT = "MASTER_PORT";

  /** A pod of an indexed Job is named after the Job and its index. */
  private static final Pattern POD = Pattern.compile("([^.]+-)(\\d+)(\\..+)");

  /**
   * Derives the address.
   *
   * @param problems gets the reason where an environment that is known does not suffice
   * @return null where there is none
   */
  static @Nullable JobAddress find(
      RankEnvironment ranks, Map<String, String> environment, List<String> problems) {
    if (environment.containsKey(MASTER_ADDR) && environment.containsKey(MASTER_PORT)) {
      return ofTorchrun(environment);
    }
    return switch (ranks.launcher()) {
      case RankEnvironment.SLURM_NAME -> ofSlurm(environment, problems);
      case RankEnvironment.KUBERNETES_NAME -> ofPod(ownName(), ranks, problems);
      default -> null;
    };
  }

  /** The port after that of torchrun's own store, at which nothing else listens. */
  private static JobAddress ofTorchrun(Map<String, String> environment) {
    String host = environment.getOrDefault(MASTER_ADDR, "").strip();
    String port = environment.getOrDefault(MASTER_PORT, "").strip();
    int master;
    try {
      master = Integer.parseInt(port);
    } catch (NumberFormatException e) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT,
          -1,
          ErrorText.of("%s=%s: expected a port number", MASTER_PORT, port),
          e);
    }
    return new JobAddress(
        place(host, master + 1),
        ErrorText.of(
            "torchrun %s, attempt %s",
            environment.getOrDefault("TORCHELASTIC_RUN_ID", ""),
            environment.getOrDefault("TORCHELASTIC_RESTART_COUNT", "0")),
        MASTER_ADDR + " and " + MASTER_PORT);
  }

  /** The first host of the step, and a port that Slurm reserved or that the step's id gives. */
  static @Nullable JobAddress ofSlurm(Map<String, String> environment, List<String> problems) {
    String job = environment.get("SLURM_JOB_ID");
    String step =
        environment.getOrDefault("SLURM_STEP_ID", environment.getOrDefault("SLURM_STEPID", "0"));
    for (String variable : List.of("SLURM_STEP_NODELIST", "SLURM_NODELIST", "SLURM_JOB_NODELIST")) {
      String hosts = environment.getOrDefault(variable, "").strip();
      if (hosts.isEmpty() || job == null) {
        continue;
      }
      String first = SlurmHosts.first(hosts);
      if (first == null) {
        problems.add(ErrorText.of("%s=%s: expected hosts such as node[01-04,07]", variable, hosts));
        return null;
      }
      String name = ErrorText.of("Slurm job %s.%s", job.strip(), step.strip());
      Integer reserved = firstNumber(environment.get("SLURM_STEP_RESV_PORTS"));
      int port =
          reserved != null
              ? reserved
              : FIRST_PORT + Math.floorMod(name.hashCode() * 0x9e37_79b9, PORTS);
      return new JobAddress(place(first, port), name, variable + "=" + hosts);
    }
    return null;
  }

  private static @Nullable Integer firstNumber(@Nullable String ports) {
    Matcher number = Pattern.compile("\\d{1,5}").matcher(ports == null ? "" : ports);
    return number.find() ? Integer.valueOf(number.group()) : null;
  }

  /** The pod of rank 0, whose name differs in the index alone. */
  static @Nullable JobAddress ofPod(String own, RankEnvironment ranks, List<String> problems) {
    Matcher pod = POD.matcher(own);
    if (!pod.matches() || !pod.group(2).equals(Integer.toString(ranks.rank()))) {
      problems.add(
          ErrorText.of(
              "this pod calls itself %s; expected a name such as job-%d.service.namespace, as the"
                  + " pods of an indexed Job have where spec.template.spec.subdomain names a"
                  + " headless service",
              own, ranks.rank()));
      return null;
    }
    String first = pod.group(1) + 0 + pod.group(3);
    return new JobAddress(
        place(first, POD_PORT), "Kubernetes job of " + first, "the name of this pod, " + own);
  }

  private static String ownName() {
    try {
      return InetAddress.getLocalHost().getCanonicalHostName();
    } catch (UnknownHostException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String place(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** Returns the settings with this address in them. */
  Settings in(Settings settings) {
    Map<String, String> values = new HashMap<>();
    values.put(CoreVariables.COMM_SECRET.name(), job);
    for (String name : settings.names()) {
      String value = settings.raw(name);
      if (value != null) {
        values.put(name, value);
      }
    }
    values.put(CoreVariables.COMM_ID.name(), place);
    return Settings.of(values);
  }
}
