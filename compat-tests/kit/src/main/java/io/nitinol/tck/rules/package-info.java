// SPDX-License-Identifier: Apache-2.0
/**
 * The tests of the contract: methods with {@link io.nitinol.tck.check.Rule}, which name the rule
 * that they test, in a class for each part of the contract. {@code run.RuleCatalog} lists the
 * classes and {@code run.CaseRunner} calls the methods, each with a session of its own. Begin with
 * {@link io.nitinol.tck.rules.SmokeRules}.
 */
@NullMarked
package io.nitinol.tck.rules;

import org.jspecify.annotations.NullMarked;
