// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessorListTest {
  @ParameterizedTest
  @CsvSource({
    "0, {0}",
    "'0-3', '{0, 1, 2, 3}'",
    "'0-1,8', '{0, 1, 8}'",
    "'\t1,3,5-6\n', '{1, 3, 5, 6}'",
    "'', {}",
    "'2-,x,-1,4', {4}",
    "'100000,7', {7}",
    "'5-3', {5}",
  })
  void readsWhatTheKernelWrites(String list, String numbers) {
    assertThat(ProcessorList.of(list)).hasToString(numbers);
  }
}
