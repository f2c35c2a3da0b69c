// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobAddressTest {
  private static final RankEnvironment POD = new RankEnvironment("Kubernetes", 12, 16, -1);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          node7                    | node7
          node7,node8              | node7
          node[03-08]              | node03
          node[003,007-9],login    | node003
          rack[1-2]n[05-06]-ib     | rack1n05-ib
          a.b-c[10]                | a.b-c10
          """)
  void readsTheFirstHostOfSlurmsList(String hosts, String first) {
    assertThat(SlurmHosts.first(hosts)).isEqualTo(first);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = "node[\nnode[a-b]\n,node\nno de\nnode]")
  void doesNotGuessWhatIsNoList(String hosts) {
    assertThat(SlurmHosts.first(hosts)).isNull();
    List<String> problems = new ArrayList<>();
    assertThat(
            JobAddress.ofSlurm(Map.of("SLURM_JOB_ID", "1", "SLURM_STEP_NODELIST", hosts), problems))
        .isNull();
    assertThat(problems)
        .containsExactly(
            "SLURM_STEP_NODELIST=" + hosts + ": expected hosts such as node[01-04,07]");
  }

  @Test
  void takesThePortThatSlurmHasReserved() {
    Map<String, String> step = new HashMap<>();
    step.put("SLURM_JOB_ID", "12");
    step.put("SLURM_STEP_ID", "3");
    step.put("SLURM_NODELIST", "other");
    step.put("SLURM_STEP_NODELIST", "n[1-2]");
    step.put("SLURM_STEP_RESV_PORTS", "12034-12035");
    assertThat(JobAddress.ofSlurm(step, new ArrayList<>()))
        .isEqualTo(new JobAddress("n1:12034", "Slurm job 12.3", "SLURM_STEP_NODELIST=n[1-2]"));
  }

  /** Between those of services and those that Linux gives out. */
  @Test
  void derivesAPortThatNothingElseGives() {
    List<Integer> ports = new ArrayList<>();
    for (int job = 1; job <= 1000; job++) {
      JobAddress address =
          JobAddress.ofSlurm(
              Map.of("SLURM_JOB_ID", Integer.toString(job), "SLURM_NODELIST", "n"),
              new ArrayList<>());
      ports.add(Integer.valueOf(address.place().substring("n:".length())));
    }
    assertThat(ports).allMatch(port -> port >= 15_000 && port < 31_384);
    assertThat(ports.stream().distinct()).as("few jobs share one").hasSizeGreaterThan(900);
  }

  @Test
  void derivesThePodOfIndexZero() {
    assertThat(JobAddress.ofPod("train-12.ranks.ns.svc.cluster.local", POD, new ArrayList<>()))
        .isEqualTo(
            new JobAddress(
                "train-0.ranks.ns.svc.cluster.local:29501",
                "Kubernetes job of train-0.ranks.ns.svc.cluster.local",
                "the name of this pod, train-12.ranks.ns.svc.cluster.local"));
  }

  /** A pod of a JobSet has the numbers of its Job and of itself in its name. */
  @ParameterizedTest
  @CsvSource({
    "train-12.ranks-3.team-7.svc.cluster.local, train-0.ranks-3.team-7.svc.cluster.local:29501",
    "train-ranks-0-12.train.team-7.svc, train-ranks-0-0.train.team-7.svc:29501"
  })
  void otherNumbersAreNotThePods(String own, String place) {
    assertThat(JobAddress.ofPod(own, POD, new ArrayList<>()))
        .extracting(JobAddress::place)
        .isEqualTo(place);
  }

  @ParameterizedTest
  @CsvSource({"train-12", "train-1.ranks", "localhost", "10.1.2.3"})
  void saysThatAPodNeedsASubdomain(String own) {
    List<String> problems = new ArrayList<>();
    assertThat(JobAddress.ofPod(own, POD, problems)).isNull();
    assertThat(problems)
        .containsExactly(
            "this pod calls itself "
                + own
                + "; expected a name such as job-12.service.namespace,"
                + " as the pods of an indexed Job have where spec.template.spec.subdomain names a"
                + " headless service");
  }
}
