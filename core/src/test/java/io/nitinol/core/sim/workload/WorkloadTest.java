// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.Collective;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {
  private static Workload text(String lines) throws WorkloadException {
    return WorkloadText.parse(lines.getBytes(UTF_8), 16);
  }

  @Test
  void readsGroupsNodesAndWhatTheyWaitFor() throws Exception {
    Workload read =
        text(
            """
            # a step
            group  odd 1-15:2
            group  few 0,3,8-9
            compute forward odd 1.5ms
            all_reduce sums odd 64M after forward
            broadcast b few 4096 root=2 after forward sums forward
            """);
    assertThat(read.groups().get(0).gpus()).containsExactly(1, 3, 5, 7, 9, 11, 13, 15);
    assertThat(read.groups().get(1).gpus()).containsExactly(0, 3, 8, 9);
    assertThat(read.nodes().get(0).picos()).isEqualTo(1_500_000_000L);
    assertThat(read.nodes().get(1).collective())
        .isEqualTo(new CollectiveSpec(Collective.ALL_REDUCE, 64 << 20, 0));
    assertThat(read.nodes().get(2).collective())
        .isEqualTo(new CollectiveSpec(Collective.BROADCAST, 4096, 2));
    assertThat(read.nodes().get(2).after()).containsExactly(0, 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "allreduce x all 4 | line 1: the first word is 'allreduce'",
        "all_reduce x all | line 1: 3 words; expected all_reduce NAME GROUP BYTES",
        "all_reduce x all 5 | all_reduce of 5 bytes; expected a multiple of 4",
        "all_reduce x all 4X | the size '4X'",
        "all_reduce x all 99T | the size '99T'",
        "compute x all 5 | the time '5'; expected a time such as",
        "compute x nobody 5us | the group 'nobody'",
        "group g 0-16 | rank '16'; expected a number from 0 to 15",
        "group g 3-1 | rank '1'; expected a number from 3 to 15",
        "group g 1,1 | the ranks '1,1'; expected each rank once",
        "group all 1 | the name 'all'",
        "broadcast x all 4 root=16 | root '16'",
        "compute x all 1us after x | after 'x'; expected the name of a node above",
        "# nothing | there is nothing to be done"
      })
  void saysWhatIsWrong(String line, String message) {
    assertThatThrownBy(() -> text(line))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining(message);
  }

  private static final String HEADER =
      "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 2 pp: 1 vpp: 8 ga: 1"
          + " all_gpus: 16 checkpoints: 0 checkpoint_initiates: 0\n";

  private static Workload simAi(String text) throws WorkloadException {
    return SimAiText.parse(text.getBytes(UTF_8), 16);
  }

  @Test
  void readsAnIterationOfSimAi() throws Exception {
    Workload read =
        simAi(
            HEADER
                + "2\n"
                + "one -1 1000 ALLREDUCE 64 2000 NONE 0 3000 REDUCESCATTER 129 7\n"
                + "two\t-1\t5\tALLTOALL_EP\t256\t5\tNONE\t0\t5\tALLGATHER_DP_EP\t64\t0\n");
    List<String> names = read.nodes().stream().map(Workload.Node::name).toList();
    assertThat(names)
        .startsWith("one.forward", "one.forward.0.all_reduce.0")
        .contains("two.forward.1.alltoall.0", "two.weights.1.all_gather.0")
        .endsWith("one.weights.0.reduce_scatter.3", "one.input", "update");
    Workload.Node last = read.nodes().getLast();
    assertThat(last.picos()).isEqualTo(7_000);
    assertThat(last.after()).hasSize(8 + 4 + 1); // two's weights in 8 groups, one's in 4
    Workload.Node scatter = read.nodes().get(names.indexOf("one.weights.0.reduce_scatter.1"));
    assertThat(read.groups().get(scatter.group()).gpus()).containsExactly(1, 5, 9, 13);
    assertThat(scatter.collective().bytes()).isEqualTo(132);
    Workload.Node expert = read.nodes().get(names.indexOf("two.forward.1.alltoall.0"));
    assertThat(read.groups().get(expert.group()).gpus()).containsExactly(0, 4);
    Workload.Node data = read.nodes().get(names.indexOf("two.weights.1.all_gather.0"));
    assertThat(read.groups().get(data.group()).gpus()).containsExactly(0, 8);
  }

  @Test
  void saysWhatIsWrongWithSimAi() {
    String layer = "one -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
    assertWrong("DATA\n1\n" + layer, "the first word is 'DATA'");
    assertWrong(HEADER + "2\n" + layer, "as many as lines follow, which are 1");
    assertWrong(HEADER + "1\none -1 1 NONE 0\n", "line 3: 5 words; expected 12");
    assertWrong(HEADER + "1\n" + layer.replace("NONE", "SOME"), "the communication 'SOME'");
    assertWrong(HEADER.replace("16", "32") + "1\n" + layer, "all_gpus: '32'");
    assertWrong(HEADER.replace("group: 4", "group: 3") + "1\n" + layer, "a multiple of");
    assertWrong(HEADER.replace("ep: 2", "ep: 3") + "1\n" + layer, "ep: '3'");
    assertWrong(HEADER.replace(" pp: 1", "") + "1\n" + layer, "no pp:");
  }

  private static void assertWrong(String text, String message) {
    assertThatThrownBy(() -> simAi(text))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining(message);
  }
}
