// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profileropentelemetry;

import io.opentelemetry.api.common.Attributes;

/**
 * What metrics say of an operation, made once for each kind, type, algorithm and protocol.
 *
 * @param name the operation's, and that of its spans
 * @param done of one that was done, or is under way
 * @param givenUp of one that was given up
 */
record OperationAttributes(String name, Attributes done, Attributes givenUp) {}
