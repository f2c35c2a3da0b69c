// SPDX-License-Identifier: Apache-2.0
/**
 * Checks both sides of the contract between a caller and a network plugin while an application
 * runs: decorators over Net and CollNet that {@code NITINOL_VALIDATE} switches on, which report
 * what breaks a rule of {@code SPEC.md} by the rule's number.
 */
@NullMarked
package io.nitinol.validate;

import org.jspecify.annotations.NullMarked;
