// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

/**
 * On what devices to measure, and how; the same on every rank.
 *
 * @param provider the name of the kind of device
 * @param ranksPerProcess how many ranks a process has, each with a device of its own where there
 *     are enough
 * @param launches how often to launch a graph of all iterations; 0 for no graph
 * @param windows whether buffers are registered, so that operations use them in place
 */
public record PerfDevicePlan(String provider, int ranksPerProcess, int launches, boolean windows) {}
