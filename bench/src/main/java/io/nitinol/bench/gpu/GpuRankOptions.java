// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import java.util.Arrays;
import java.util.List;

/**
 * What a process of our side is told when it starts.
 *
 * @param socket the UNIX socket of the bench
 * @param process the number of this process
 * @param processes how many there are: 1, which has all ranks, or one for each rank
 * @param devices the number of the device of each rank
 * @param capacity the most bytes of a buffer
 * @param id the unique id of the ranks; for one process of no meaning
 * @param api what is measured
 * @param provider the name of the kind of device
 * @param blocks how many blocks an operation runs at the most; 0 leaves it to the provider
 * @param windows whether buffers are registered
 */
record GpuRankOptions(
    String socket,
    int process,
    int processes,
    List<Integer> devices,
    long capacity,
    String id,
    Api api,
    String provider,
    int blocks,
    boolean windows) {

  /** What is measured. */
  enum Api {
    /** The provider's teams alone. */
    TEAM,
    /** The communicator of core, which applications use. */
    COMMUNICATOR
  }

  GpuRankOptions {
    devices = List.copyOf(devices);
  }

  /** Reads what {@link #arguments} wrote. */
  static GpuRankOptions parse(String[] words) {
    return new GpuRankOptions(
        words[0],
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Arrays.stream(words[3].split(",", -1)).map(Integer::valueOf).toList(),
        Long.parseLong(words[4]),
        words[5],
        Api.valueOf(words[6]),
        words[7],
        Integer.parseInt(words[8]),
        Boolean.parseBoolean(words[9]));
  }

  /** Returns the arguments of the process. */
  List<String> arguments() {
    return List.of(
        socket,
        Integer.toString(process),
        Integer.toString(processes),
        String.join(",", devices.stream().map(String::valueOf).toList()),
        Long.toString(capacity),
        id,
        api.name(),
        provider,
        Integer.toString(blocks),
        Boolean.toString(windows));
  }
}
