// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.spec;

import org.jspecify.annotations.Nullable;

/**
 * One numbered rule of the contract.
 *
 * @param id its number, such as NET-CONN-03
 * @param binds the party that it binds: plugin, caller or framework
 * @param untestable why no kit can test it; null where one can
 * @param text its text, in Markdown
 */
public record SpecRule(String id, String binds, @Nullable String untestable, String text) {

  /** Returns whether the kit has to have a test for the rule. */
  public boolean isTestable() {
    return untestable == null;
  }
}
