// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What JUnit reports about plugins that break rules. */
class WrongPluginTest {

  /** A plugin at the start of its development: it does not have listen yet. */
  public static final class Unfinished extends MemoryNet {
    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "listen is yours to write");
    }
  }

  static final class UnfinishedTest extends ConformanceTest {
    @Override
    protected PluginUnderTest plugin() {
      return PluginUnderTest.of(Unfinished.class);
    }

    @Override
    protected KitOptions options() {
      Set<String> rules = Set.of("SEL-02", "NET-CONN-01", "NET-CONN-09", "NET-SEND-07");
      return KitOptions.quick().withSeed(7).only(rules).withoutProcesses();
    }
  }

  static final class UnfinishedSeenByOthersTest extends ConformanceTest {
    @Override
    protected PluginUnderTest plugin() {
      return PluginUnderTest.of(Unfinished.class);
    }

    @Override
    protected KitOptions options() {
      return KitOptions.quick().only(Set.of("NET-CONN-10")).withoutProcesses();
    }
  }

  static final class RightTest extends ConformanceTest {
    @Override
    protected PluginUnderTest plugin() {
      return PluginUnderTest.of(MemoryNet.class);
    }

    @Override
    protected KitOptions options() {
      return KitOptions.quick().only(Set.of("NET-CONN-01")).withoutProcesses();
    }
  }

  /** How a test ended. */
  private record Event(String name, Status status, Throwable thrown) {
    String message() {
      return String.valueOf(thrown.getMessage());
    }

    String printed() {
      StringWriter text = new StringWriter();
      thrown.printStackTrace(new PrintWriter(text));
      return text.toString();
    }
  }

  private static List<Event> run(Class<?> test) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(test)).build();
    List<Event> events = new ArrayList<>();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                if (id.isTest() || result.getThrowable().isPresent()) {
                  Throwable thrown = result.getThrowable().orElse(null);
                  events.add(new Event(id.getDisplayName(), result.getStatus(), thrown));
                }
              }
            });
    return events;
  }

  private static List<Event> failed(List<Event> events) {
    return events.stream().filter(event -> event.status() == Status.FAILED).toList();
  }

  @Test
  void onlyTheRuleInTheWayFailsAndTheVerdict() {
    List<Event> events = run(UnfinishedTest.class);
    assertThat(failed(events))
        .hasSizeBetween(2, 3)
        .allSatisfy(event -> assertThat(event.name()).matches("NET-CONN-01 .*|verdict"))
        .anySatisfy(event -> assertThat(event.name()).startsWith("NET-CONN-01 "));
    assertThat(events)
        .filteredOn(event -> event.name().matches("NET-(SEND-07|CONN-09) .*"))
        .isNotEmpty()
        .allSatisfy(event -> {
          assertThat(event.status()).isEqualTo(Status.ABORTED);
          assertThat(event.message())
              .startsWith("blocked by NET-CONN-01: ")
              .endsWith("listen is yours to write");
        });
    assertThat(events)
        .filteredOn(event -> event.name().startsWith("SEL-02 "))
        .isNotEmpty()
        .allSatisfy(event -> assertThat(event.status()).isEqualTo(Status.SUCCESSFUL));
  }

  @Test
  void aFailureIsOneLineWithTheDetailsBehindItAndNoStack() {
    Event failure = failed(run(UnfinishedTest.class)).getFirst();
    assertThat(failure.message())
        .startsWith("NET-CONN-01: listen")
        .endsWith("listen is yours to write")
        .doesNotContain("\n");
    assertThat(failure.printed())
        .startsWith(failure.message() + "\n")
        .contains("\nThe rule: `listen` returns a listener at once")
        .contains("\nRepeat: -Dnitinol.tck.rules=NET-CONN-01 -Dnitinol.tck.seed=7\n")
        .contains("listen(device 0) -> INTERNAL_ERROR: listen is yours to write")
        .doesNotContain("\tat ");
  }

  @Test
  void theVerdictComesLastAndNamesWhatIsKeptBrokenAndToBeRepairedFirst() {
    Event verdict = run(UnfinishedTest.class).getLast();
    assertThat(verdict.name()).isEqualTo("verdict");
    assertThat(verdict.message())
        .startsWith("Unfinished BREAKS the contract: 1 rules kept, 1 broken, 2 blocked")
        .contains("\n  kept: SEL-02\n")
        .contains("\n  broken: NET-CONN-01\n")
        .containsPattern("\n  repair first: NET-CONN-01, in the way of \\d+ tests$");
  }

  @Test
  void aRuleThatOnlyOtherTestsSeeBrokenFailsTheRunWithItsReason() {
    List<Event> failed = failed(run(UnfinishedSeenByOthersTest.class));
    assertThat(failed).extracting(Event::name).containsExactly("verdict");
    assertThat(failed.getFirst().message()).contains("\n  NET-CONN-01, seen by NET-CONN-10 ");
  }

  @Test
  void aRightPluginHasNoFailure() {
    List<Event> events = run(RightTest.class);
    assertThat(failed(events)).isEmpty();
    assertThat(events.getLast().status()).isEqualTo(Status.SUCCESSFUL);
  }
}
