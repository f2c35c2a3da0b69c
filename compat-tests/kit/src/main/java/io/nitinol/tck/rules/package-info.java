// SPDX-License-Identifier: Apache-2.0
/**
 * The tests of the contract, in a class for each part of it. Each test is a method whose annotation
 * {@link io.nitinol.tck.check.Rule} names the rule. {@code run.RuleCatalog} lists the classes and
 * {@code run.CaseRunner} calls the methods, each with a session of its own. Begin with {@link
 * io.nitinol.tck.rules.SmokeRules}.
 */
@NullMarked
package io.nitinol.tck.rules;

import org.jspecify.annotations.NullMarked;
