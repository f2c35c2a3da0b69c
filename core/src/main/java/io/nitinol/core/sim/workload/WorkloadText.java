// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.workload;

import io.nitinol.spi.Collective;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads Nitinol's format of workloads, a line for each group and each node:
 *
 * <pre>
 * group  tp0 0-7                              # ranks 0 to 7 of the cluster
 * group  dp0 0-63:8                           # every eighth
 * compute forward tp0 1.5ms
 * all_reduce sums tp0 64M after forward
 * all_reduce grads dp0 1G after sums
 * broadcast weights all 1M root=3 after grads
 * </pre>
 *
 * <p>The group {@code all} is there by itself. A node that waits for nothing begins at once.
 */
public final class WorkloadText {
  private static final String ALL = "all";
  private static final String[] SIZES = {"KiB", "MiB", "GiB", "TiB", "K", "M", "G", "T", "B", ""};
  private static final long[] SIZE_FACTORS = {
    1L << 10, 1L << 20, 1L << 30, 1L << 40, 1L << 10, 1L << 20, 1L << 30, 1L << 40, 1, 1
  };
  private static final String[] TIMES = {"ns", "us", "ms", "s"};
  private static final long[] TIME_FACTORS = {1_000, 1_000_000, 1_000_000_000, 1_000_000_000_000L};

  /** The longest compute: an hour, in picoseconds. */
  private static final long MOST_PICOS = 3_600_000_000_000_000L;

  private final int gpus;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private final List<Workload.Group> groups = new ArrayList<>();
  private final Map<String, Integer> groupByName = new HashMap<>();
  private final List<Workload.Node> nodes = new ArrayList<>();
  private final Map<String, Integer> nodeByName = new HashMap<>();
  private long members;

  private WorkloadText(int gpus) {
    this.gpus = gpus;
  }

  /**
   * Reads a workload.
   *
   * @param content a file's bytes, in UTF-8
   * @param gpus how many GPUs the cluster has
   * @throws WorkloadException with the line and the value
   */
  public static Workload parse(byte[] content, int gpus) throws WorkloadException {
    WorkloadText text = new WorkloadText(gpus);
    for (WorkloadLines.Line line : WorkloadLines.read(content)) {
      text.add(line);
    }
    if (text.nodes.isEmpty()) {
      throw new WorkloadException("there is nothing to be done: no compute and no collective");
    }
    return new Workload(text.groups, text.nodes);
  }

  /** Returns the group of all GPUs. */
  public static Workload.Group all(int gpus) {
    int[] ranks = new int[gpus];
    for (int i = 0; i < gpus; i++) {
      ranks[i] = i;
    }
    return new Workload.Group(ALL, ranks);
  }

  /** Returns the collective of a name of nccl-tests, or null. */
  public static @Nullable Collective collective(String name) {
    for (Collective each : Collective.values()) {
      if (each != Collective.SEND && each != Collective.RECV && each.label().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /** Returns the names that {@link #collective} knows. */
  public static String collectives() {
    List<String> names = new ArrayList<>();
    for (Collective each : Collective.values()) {
      if (each != Collective.SEND && each != Collective.RECV) {
        names.add(each.label());
      }
    }
    return String.join(", ", names);
  }

  private void add(WorkloadLines.Line line) throws WorkloadException {
    String kind = line.words().getFirst();
    if (kind.equals("group")) {
      addGroup(line);
      return;
    }
    Collective collective = collective(kind);
    if (collective == null && !kind.equals("compute")) {
      throw line.wrong("the first word is", kind, "group, compute, " + collectives());
    }
    if (line.words().size() < 4) {
      throw new WorkloadException(
          ErrorText.of(
              "line %d: %d words; expected %s NAME GROUP %s",
              line.number(), line.words().size(), kind, collective == null ? "TIME" : "BYTES"));
    }
    if (nodes.size() == Workload.MOST_NODES) {
      throw new WorkloadException(ErrorText.of("more than %d nodes", Workload.MOST_NODES));
    }
    String name = named(line);
    if (nodeByName.putIfAbsent(name, nodes.size()) != null) {
      throw line.wrong("the name", name, "one that no other node has");
    }
    int group = group(line, line.words().get(2));
    int ranks = groups.get(group).gpus().length;
    String amount = line.words().get(3);
    int root = collective == Collective.SEND_RECV ? 1 : 0;
    List<Integer> after = new ArrayList<>();
    boolean names = false;
    for (String word : line.words().subList(4, line.words().size())) {
      if (!names && word.startsWith("root=") && collective != null) {
        root = (int) WorkloadLines.number(line, "root", word.substring(5), 0, ranks - 1L);
      } else if (!names && word.equals("after")) {
        names = true;
      } else if (names) {
        after.add(before(line, word, name));
      } else {
        throw line.wrong("the word", word, "root=RANK, or after and names of nodes");
      }
    }
    int[] waits = after.stream().distinct().mapToInt(Integer::intValue).toArray();
    if (collective == null) {
      long picos =
          WorkloadLines.scaled(
              line,
              "the time",
              amount,
              TIMES,
              TIME_FACTORS,
              MOST_PICOS,
              "a time such as 10us, 1.5ms or 1s, up to 3600s");
      nodes.add(new Workload.Node(name, group, null, picos, waits));
    } else {
      nodes.add(new Workload.Node(name, group, spec(line, collective, amount, root), 0, waits));
    }
  }

  private static CollectiveSpec spec(
      WorkloadLines.Line line, Collective collective, String amount, int root)
      throws WorkloadException {
    try {
      return new CollectiveSpec(collective, bytes(line, amount), root);
    } catch (IllegalArgumentException e) {
      throw new WorkloadException(ErrorText.of("line %d: %s", line.number(), e.getMessage()));
    }
  }

  private static long bytes(WorkloadLines.Line line, String text) throws WorkloadException {
    return WorkloadLines.scaled(
        line,
        "the size",
        text,
        SIZES,
        SIZE_FACTORS,
        CollectiveSpec.MOST_BYTES,
        "a number of bytes such as 4096, 64K, 1.5M or 1G, up to 16T");
  }

  private int before(WorkloadLines.Line line, String name, String own) throws WorkloadException {
    Integer found = nodeByName.get(name);
    if (found == null || name.equals(own)) {
      throw line.wrong("after", name, "the name of a node above");
    }
    return found;
  }

  private int group(WorkloadLines.Line line, String name) throws WorkloadException {
    Integer found = groupByName.get(name);
    if (found != null) {
      return found;
    }
    if (name.equals(ALL)) {
      return addGroup(line, all(gpus));
    }
    throw line.wrong("the group", name, "all, or a group of a line above");
  }

  /** Returns the name of a group or node, which lists and traces repeat as it is. */
  private static String named(WorkloadLines.Line line) throws WorkloadException {
    String name = line.words().get(1);
    if (!NAME.matcher(name).matches()) {
      throw line.wrong("the name", name, "letters, digits, '.', '_' and '-'");
    }
    return name;
  }

  private void addGroup(WorkloadLines.Line line) throws WorkloadException {
    if (line.words().size() != 3) {
      throw new WorkloadException(
          ErrorText.of(
              "line %d: %d words; expected group NAME RANKS, such as group tp0 0-7,16-23",
              line.number(), line.words().size()));
    }
    String name = named(line);
    if (name.equals(ALL) || groupByName.containsKey(name)) {
      throw line.wrong("the name", name, "one that no other group has");
    }
    addGroup(line, new Workload.Group(name, ranks(line, line.words().get(2))));
  }

  private int addGroup(WorkloadLines.Line line, Workload.Group group) throws WorkloadException {
    members += group.gpus().length;
    if (members > Workload.MOST_MEMBERS) {
      throw new WorkloadException(
          ErrorText.of(
              "line %d: the groups have more than %d ranks together",
              line.number(), Workload.MOST_MEMBERS));
    }
    groupByName.put(group.name(), groups.size());
    groups.add(group);
    return groups.size() - 1;
  }

  /** Reads ranks such as {@code 0-7,16,32-63:8}. */
  private int[] ranks(WorkloadLines.Line line, String text) throws WorkloadException {
    List<Integer> found = new ArrayList<>();
    BitSet seen = new BitSet();
    for (String part : text.split(",", -1)) {
      int colon = part.indexOf(':');
      String range = colon < 0 ? part : part.substring(0, colon);
      long stride =
          colon < 0 ? 1 : WorkloadLines.number(line, "step", part.substring(colon + 1), 1, gpus);
      int dash = range.indexOf('-');
      String first = dash < 0 ? range : range.substring(0, dash);
      String last = dash < 0 ? range : range.substring(dash + 1);
      long from = WorkloadLines.number(line, "rank", first, 0, gpus - 1L);
      long to = WorkloadLines.number(line, "rank", last, from, gpus - 1L);
      for (long rank = from; rank <= to; rank += stride) {
        if (seen.get((int) rank)) {
          throw line.wrong("the ranks", text, "each rank once");
        }
        seen.set((int) rank);
        found.add((int) rank);
      }
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }
}
