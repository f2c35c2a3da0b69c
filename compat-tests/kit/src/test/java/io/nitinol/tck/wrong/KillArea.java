// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.util.stream.Stream;

/** The parts of the contract that wrong plugins are sorted by; each rule is in one. */
enum KillArea {
  COLLNETS("COLL-"),
  CONNECTIONS("NET-CONN-", "NET-V4-"),
  MESSAGES("NET-REG-", "NET-SEND-", "NET-RECV-", "NET-TEST-", "NET-FLUSH-"),
  /** All others. */
  LIFE;

  private final String[] prefixes;

  KillArea(String... prefixes) {
    this.prefixes = prefixes;
  }

  static KillArea of(String rule) {
    return Stream.of(values())
        .filter(area -> Stream.of(area.prefixes).anyMatch(rule::startsWith))
        .findFirst()
        .orElse(LIFE);
  }
}
