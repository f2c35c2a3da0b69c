// SPDX-License-Identifier: Apache-2.0
/**
 * Checks both sides of the contract between a caller and a network plugin while an application
 * runs, and reports what breaks a rule of {@code SPEC.md} by the rule's number. Core finds {@link
 * io.nitinol.validate.ValidatingDecorator} as a service where {@code NITINOL_VALIDATE} is set.
 *
 * <p>Begin reading at {@link io.nitinol.validate.ValidatingNet} and {@link
 * io.nitinol.validate.ValidatingCollNet}, the decorators: every operation is handed to the class of
 * its rules ({@code ListenValidation}, {@code ConnectValidation}, {@code TransferValidation} and so
 * on), on the thread that calls. Such a method opens a call on what it is about, reports what the
 * caller did wrong, calls the plugin and then checks the answer. {@link
 * io.nitinol.validate.Violations} counts and logs. {@code LastCalls} keeps the last calls for the
 * log.
 */
@NullMarked
package io.nitinol.validate;

import org.jspecify.annotations.NullMarked;
