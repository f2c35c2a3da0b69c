// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.workload;

import io.nitinol.spi.Collective;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads SimAI's workloads, as AICB writes them: a header with the sizes of the groups, the number
 * of layers, and a line of twelve words for each layer with compute (nanoseconds), kind and bytes
 * of the communication of the forward pass, the input's gradients and the weights' gradients.
 *
 * <p>One iteration is made of it, as ASTRA-sim's loop does: all layers forward; backward for each
 * layer the weights' gradients, whose communication goes on beside what follows, and the input's,
 * whose communication is waited for; at the end all weights' communications are waited for. Ranks
 * are numbered with the tensor-parallel ones next to each other, then the data-parallel ones, then
 * the stages of a pipeline, which send each other nothing here.
 */
public final class SimAiText {
  private static final int WORDS = 12;
  private static final long MOST_NANOS = 3_600_000_000_000L;
  private static final int MOST_LAYERS = 20_000;

  /** The three groups that a layer's communication may be of. */
  private enum Kind {
    TENSOR,
    DATA,
    EXPERT,
    EXPERT_DATA
  }

  private record Phase(long nanos, @Nullable Collective collective, long bytes, Kind kind) {}

  private record Layer(String name, Phase forward, Phase input, Phase weights, long update) {}

  private final int gpus;
  private final int tensor;
  private final int expert;
  private final int data;
  private final List<Workload.Group> groups = new ArrayList<>();
  private final List<Workload.Node> nodes = new ArrayList<>();

  /** By kind, the first group and how many there are; -1 where they are not made. */
  private final int[] firstGroup = new int[Kind.values().length];

  private final int[] groupCount = new int[Kind.values().length];
  private int computeGroup;

  private SimAiText(int gpus, int tensor, int expert, int pipeline) {
    this.gpus = gpus;
    this.tensor = tensor;
    this.expert = expert;
    this.data = gpus / tensor / pipeline;
    Arrays.fill(firstGroup, -1);
  }

  /**
   * Reads a workload.
   *
   * @param content a file's bytes
   * @param gpus how many GPUs the cluster has
   * @throws WorkloadException with the line and the value
   */
  public static Workload parse(byte[] content, int gpus) throws WorkloadException {
    List<WorkloadLines.Line> lines = WorkloadLines.read(content);
    if (lines.size() < 2) {
      throw new WorkloadException(
          ErrorText.of(
              "%d lines; expected a header, a number of layers and the layers", lines.size()));
    }
    WorkloadLines.Line header = lines.getFirst();
    if (!header.words().getFirst().startsWith("HYBRID_TRANSFORMER")) {
      throw header.wrong(
          "the first word is", header.words().getFirst(), "HYBRID_TRANSFORMER_FWD_IN_BCKWD");
    }
    int all = size(header, "all_gpus:", gpus);
    int tensor = size(header, "model_parallel_NPU_group:", all);
    int expert = size(header, "ep:", all);
    int pipeline = size(header, "pp:", all);
    if ((long) tensor * pipeline > all || all % (tensor * pipeline) != 0) {
      throw header.wrong(
          "all_gpus:", Integer.toString(all), "a multiple of the groups' sizes multiplied");
    }
    if (all / tensor / pipeline % expert != 0) {
      throw header.wrong("ep:", Integer.toString(expert), "a divisor of the data-parallel ranks");
    }
    long count =
        WorkloadLines.number(
            lines.get(1), "layers", lines.get(1).words().getFirst(), 1, MOST_LAYERS);
    if (lines.size() - 2 != count) {
      throw lines
          .get(1)
          .wrong(
              "layers",
              Long.toString(count),
              "as many as lines follow, which are " + (lines.size() - 2));
    }
    List<Layer> layers = new ArrayList<>();
    for (WorkloadLines.Line line : lines.subList(2, lines.size())) {
      layers.add(layer(line));
    }
    return new SimAiText(all, tensor, expert, pipeline).build(layers);
  }

  private static int size(WorkloadLines.Line header, String name, int most)
      throws WorkloadException {
    int at = header.words().indexOf(name);
    if (at < 0 || at + 1 == header.words().size()) {
      throw new WorkloadException(
          ErrorText.of("line %d: no %s; expected it with a number behind", header.number(), name));
    }
    return (int) WorkloadLines.number(header, name, header.words().get(at + 1), 1, most);
  }

  private static Layer layer(WorkloadLines.Line line) throws WorkloadException {
    if (line.words().size() < WORDS) {
      throw new WorkloadException(
          ErrorText.of(
              "line %d: %d words; expected %d: name, -1, three times compute, kind and bytes,"
                  + " update",
              line.number(), line.words().size(), WORDS));
    }
    return new Layer(
        WorkloadLines.cut(line.words().getFirst()),
        phase(line, 2, Kind.TENSOR),
        phase(line, 5, Kind.TENSOR),
        phase(line, 8, Kind.DATA),
        WorkloadLines.number(line, "update", line.words().get(11), 0, MOST_NANOS));
  }

  private static Phase phase(WorkloadLines.Line line, int at, Kind usual) throws WorkloadException {
    long nanos = WorkloadLines.number(line, "compute", line.words().get(at), 0, MOST_NANOS);
    String text = line.words().get(at + 1);
    long bytes =
        WorkloadLines.number(
            line, "bytes", line.words().get(at + 2), 0, CollectiveSpec.MOST_BYTES - 4);
    Kind kind = usual;
    String name = text;
    if (text.endsWith("_DP_EP")) {
      kind = Kind.EXPERT_DATA;
      name = text.substring(0, text.length() - 6);
    } else if (text.endsWith("_EP")) {
      kind = Kind.EXPERT;
      name = text.substring(0, text.length() - 3);
    }
    Collective collective =
        switch (name) {
          case "NONE" -> null;
          case "ALLREDUCE" -> Collective.ALL_REDUCE;
          case "ALLGATHER" -> Collective.ALL_GATHER;
          case "REDUCESCATTER" -> Collective.REDUCE_SCATTER;
          case "ALLTOALL" -> Collective.ALL_TO_ALL;
          default ->
              throw line.wrong(
                  "the communication",
                  text,
                  "NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER or ALLTOALL, with _EP or _DP_EP");
        };
    long whole = Math.ceilDiv(bytes, 4) * 4;
    return new Phase(nanos, bytes == 0 ? null : collective, whole, kind);
  }

  private Workload build(List<Layer> layers) throws WorkloadException {
    groups.add(WorkloadText.all(gpus));
    computeGroup = 0;
    List<Integer> last = List.of();
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.get(i);
      last = compute(layer.name() + ".forward", layer.forward().nanos(), last);
      last = communicate(layer.name() + ".forward", i, layer.forward(), last);
    }
    List<Integer> beside = new ArrayList<>();
    long update = 0;
    for (int i = layers.size() - 1; i >= 0; i--) {
      Layer layer = layers.get(i);
      last = compute(layer.name() + ".weights", layer.weights().nanos(), last);
      if (layer.weights().collective() != null) {
        beside.addAll(communicate(layer.name() + ".weights", i, layer.weights(), last));
      }
      last = compute(layer.name() + ".input", layer.input().nanos(), last);
      last = communicate(layer.name() + ".input", i, layer.input(), last);
      update += layer.update();
    }
    beside.addAll(last);
    compute("update", Math.min(update, MOST_NANOS), beside);
    return new Workload(groups, nodes);
  }

  private List<Integer> compute(String name, long nanos, List<Integer> after)
      throws WorkloadException {
    return List.of(add(new Workload.Node(name, computeGroup, null, nanos * 1000, array(after))));
  }

  private List<Integer> communicate(String name, int layer, Phase phase, List<Integer> after)
      throws WorkloadException {
    Collective collective = phase.collective();
    if (collective == null) {
      return after;
    }
    int first = groups(phase.kind());
    List<Integer> made = new ArrayList<>();
    for (int g = 0; g < groupCount[phase.kind().ordinal()]; g++) {
      made.add(
          add(
              new Workload.Node(
                  name + "." + layer + "." + collective.label() + "." + g,
                  first + g,
                  new CollectiveSpec(collective, phase.bytes(), 0),
                  0,
                  array(after))));
    }
    return made;
  }

  private int add(Workload.Node node) throws WorkloadException {
    if (nodes.size() == Workload.MOST_NODES) {
      throw new WorkloadException(
          ErrorText.of("layers and groups make more than %d nodes", Workload.MOST_NODES));
    }
    nodes.add(node);
    return nodes.size() - 1;
  }

  private static int[] array(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Makes the groups of a kind when they are first needed; returns the first of them. */
  private int groups(Kind kind) {
    int known = firstGroup[kind.ordinal()];
    if (known >= 0) {
      return known;
    }
    int first = groups.size();
    int size =
        switch (kind) {
          case TENSOR -> tensor;
          case DATA -> data;
          case EXPERT -> expert;
          case EXPERT_DATA -> data / expert;
        };
    int stride =
        switch (kind) {
          case TENSOR -> 1;
          case DATA, EXPERT -> tensor;
          case EXPERT_DATA -> tensor * expert;
        };
    for (int rank = 0; rank < gpus; rank++) {
      if (rank / stride % size == 0) {
        int[] members = new int[size];
        for (int i = 0; i < size; i++) {
          members[i] = rank + i * stride;
        }
        groups.add(new Workload.Group(kind.name().toLowerCase(Locale.ROOT) + rank, members));
      }
    }
    firstGroup[kind.ordinal()] = first;
    groupCount[kind.ordinal()] = groups.size() - first;
    return first;
  }
}
