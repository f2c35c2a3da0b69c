// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.tck.device.DeviceInstance;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.FileExchange;
import io.nitinol.tck.session.TestTerms;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A device provider in the process of a peer, which does what the commands say. */
final class DevicePuppet {
  private final TestTerms terms;
  private final DeviceInstance instance;
  private final Map<String, DeviceMemory> memories = new HashMap<>();
  private DeviceSession session;
  private @Nullable DeviceTeam team;
  private @Nullable DeviceStream stream;
  private @Nullable TeamWindow window;

  DevicePuppet(TestTerms terms) {
    this.terms = terms;
    this.instance = DeviceInstance.start(terms.plugin(), terms.lane(), terms.trace());
    this.session = new DeviceSession(terms, instance);
  }

  /** Obeys one command and returns the words of the answer. */
  String obey(String[] words) {
    return switch (words[0]) {
      case "uuids" -> session.all().stream().map(Device::uuid).collect(Collectors.joining(" "));
      case "allocate" -> allocate(words[1], device(words[2]), number(words[3]));
      case "export" -> exported(memory(words[1]), number(words[2]), number(words[3]));
      case "import" -> imported(words[1], device(words[2]), words[3]);
      case "close" -> {
        memory(words[1]).close();
        yield "";
      }
      case "write" -> {
        DeviceMemory memory = memory(words[1]);
        byte[] bytes = HexFormat.of().parseHex(words[3]);
        session.write(memory.device(), memory.address() + number(words[2]), bytes);
        yield "";
      }
      case "read" -> {
        DeviceMemory memory = memory(words[1]);
        yield HexFormat.of()
            .formatHex(
                session.read(
                    memory.device(), memory.address() + number(words[2]), (int) number(words[3])));
      }
      case "join" -> join(device(words[1]), words);
      case "window" -> {
        DeviceMemory memory = memory(words[1]);
        window = Objects.requireNonNull(team).openWindow(memory.address(), memory.size());
        yield "";
      }
      case "closewindow" -> {
        Objects.requireNonNull(window).close();
        yield "";
      }
      case "allreduce" -> allReduce(memory(words[1]), number(words[2]));
      case "finish" -> {
        session.finish("DEVTEAM-03", Objects.requireNonNull(stream));
        yield "";
      }
      case "reset" -> {
        session.close();
        memories.clear();
        team = null;
        stream = null;
        session = new DeviceSession(terms, instance);
        yield "";
      }
      case "exit" -> {
        Runtime.getRuntime().halt(0);
        yield "";
      }
      default -> throw new IllegalArgumentException("no command " + words[0]);
    };
  }

  private String allocate(String id, Device device, long size) {
    memories.put(id, session.memory(device, size));
    return "";
  }

  private static String exported(DeviceMemory memory, long offset, long size) {
    byte[] handle = memory.device().exportMemory(memory.address() + offset, size);
    return HexFormat.of().formatHex(handle);
  }

  private String imported(String id, Device device, String hex) {
    DeviceMemory memory = session.keep(device.importMemory(HexFormat.of().parseHex(hex)));
    memories.put(id, memory);
    return Long.toString(memory.size());
  }

  /** Words: the device, the rank, the ranks, the directory of the exchange. */
  private String join(Device device, String[] words) {
    int rank = (int) number(words[2]);
    int ranks = (int) number(words[3]);
    List<Integer> processes = IntStream.range(0, ranks).boxed().toList();
    stream = session.stream(device);
    DeviceTeam joined =
        device.joinTeam(
            new DeviceTeamConfig(
                rank,
                processes,
                DeviceTeamConfig.DEFAULT_BLOCKS,
                new FileExchange(session, Path.of(words[4]), rank, ranks)));
    session.endTeam(joined);
    team = joined;
    return joined.rank() + " " + joined.ranks();
  }

  /** Adds the first half of the memory of all ranks into the second. */
  private String allReduce(DeviceMemory memory, long count) {
    DeviceTeam joined = Objects.requireNonNull(team);
    DeviceReduction sum = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, joined.ranks());
    if (!joined.supports(Collective.ALL_REDUCE, sum)) {
      return "unsupported";
    }
    long half = memory.size() / 2;
    joined.allReduce(
        Objects.requireNonNull(stream), sum, memory.address(), memory.address() + half, count);
    return "";
  }

  private Device device(String index) {
    return session.all().get((int) number(index));
  }

  private DeviceMemory memory(String id) {
    return Objects.requireNonNull(memories.get(id), id);
  }

  private static long number(String word) {
    return Long.parseLong(word);
  }
}
