// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.topology.near.ffi.AffinityLibrary;
import io.nitinol.toolkit.file.KernelFiles;
import io.nitinol.toolkit.file.ProcessorList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What threads that are started near a device are bound to, as the kernel tells it. */
final class NearThreadsTest {
  private final RecordedLog log = new RecordedLog();
  private final BitSet own = bound();

  private AffinityLibrary library;

  @BeforeEach
  void needsTwoProcessors() {
    assumeThat(own.cardinality()).as("processors of this process; two are needed").isGreaterThan(1);
    library = Objects.requireNonNull(AffinityLibrary.load());
  }

  /** Returns the processors that the calling thread may run on. */
  private static BitSet bound() {
    try {
      String status =
          Objects.requireNonNull(KernelFiles.OF_THIS_MACHINE.text("/proc/thread-self/status"));
      String line =
          status
              .lines()
              .filter(each -> each.startsWith("Cpus_allowed_list:"))
              .findFirst()
              .orElseThrow();
      return ProcessorList.of(line.substring(line.indexOf(':') + 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BitSet one(int processor) {
    BitSet one = new BitSet();
    one.set(processor);
    return one;
  }

  /** Returns what a thread is bound to that is started near some processors. */
  private BitSet started(BitSet near, boolean ignoreOwn) {
    CompletableFuture<BitSet> answer = new CompletableFuture<>();
    NearThreads.start(
        library,
        near,
        ignoreOwn,
        log,
        () -> Thread.ofPlatform().start(() -> answer.complete(bound())));
    assertThat(bound()).as("the calling thread is bound as before").isEqualTo(own);
    return answer.join();
  }

  @Test
  void aThreadRunsOnTheProcessorsThatAreNear() {
    int last = own.length() - 1;
    BitSet near = one(last);
    near.set(last + 1, last + 9); // which this process was not given
    assertThat(started(near, false)).isEqualTo(one(last));
    assertThat(log.lines()).anyMatch(line -> line.contains("bound to processors {" + last + "}"));
  }

  @Test
  void whereNoneIsNearItRunsAnywhere() {
    assertThat(started(one(own.length() + 3), false)).isEqualTo(own);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void whatTheSystemRefusesIsToldAndIgnored() {
    assertThat(started(one(8000), true)).isEqualTo(own);
    assertThat(log.lines())
        .anyMatch(line -> line.contains("does not bind threads to processors {8000}"));
  }
}
