// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilermicrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of operations of one kind, type, algorithm and protocol.
 *
 * @param time how long they took, those that were done
 * @param bytes what they were called for, the elements of the call
 * @param errors how many were given up
 */
record OperationMeters(Timer time, Counter bytes, Counter errors) {}
