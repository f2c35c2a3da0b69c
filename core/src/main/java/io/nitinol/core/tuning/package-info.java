// SPDX-License-Identifier: Apache-2.0

/**
 * Which algorithm, protocol and number of channels an operation uses, and what that costs.
 *
 * <p>{@link ModelChooser} chooses: {@link CostModel} gives each possibility a time from {@link
 * CostInputs}, which are partly measured by {@link MachineProbe} and kept by {@link CostCache};
 * {@code NCCL_ALGO} and {@code NCCL_PROTO} ({@link Permitted}) and a tuner plugin ({@link
 * TunerSession}) have their say. {@link ScheduleBook} turns a {@link Choice} into schedules. All
 * ranks must choose alike, so every input is the same on all of them, and a choice's code travels
 * in each message's header.
 *
 * <p>The submitting thread chooses, the executors ask for schedules. Begin with {@link
 * ModelChooser#choose}.
 */
@NullMarked
package io.nitinol.core.tuning;

import org.jspecify.annotations.NullMarked;
