// SPDX-License-Identifier: Apache-2.0

/**
 * What goes from one rank to another, as a list: the recorder of a real run and the simulator tell
 * it with the same classes, so that the two lists can be compared line by line. {@link
 * io.nitinol.core.recording.StepTransfers} turns the steps of a schedule into {@link
 * io.nitinol.core.recording.Transfer}s, {@link io.nitinol.core.recording.TransferLog} writes them
 * to the file that {@code NITINOL_TRANSFER_LOG} names. Executors and the simulator call it.
 */
@NullMarked
package io.nitinol.core.recording;

import org.jspecify.annotations.NullMarked;
