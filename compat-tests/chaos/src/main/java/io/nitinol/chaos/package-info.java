// SPDX-License-Identifier: Apache-2.0
/**
 * Real jobs under a random schedule of faults, and the rules that must hold whatever fails. Begin
 * with {@link io.nitinol.chaos.Chaos}, the program. A {@link io.nitinol.chaos.RoundPlan} follows
 * from a seed, a {@link io.nitinol.chaos.Round} carries it out with the workers of a {@link
 * io.nitinol.chaos.Farm}, and a {@link io.nitinol.chaos.RoundVerdict} compares what the workers
 * reported with what the fault permits. The tests of the whole house use {@link
 * io.nitinol.chaos.RandomProgram} and what it is checked with, too.
 */
@NullMarked
package io.nitinol.chaos;

import org.jspecify.annotations.NullMarked;
