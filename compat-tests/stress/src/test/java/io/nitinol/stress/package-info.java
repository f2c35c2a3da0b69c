// SPDX-License-Identifier: Apache-2.0
/**
 * What holds the order between threads: the list of accesses on which it depends ({@link
 * io.nitinol.stress.Access}, from {@code accesses.txt}), the runs of the stress tests ({@link
 * io.nitinol.stress.StressRun}), the litmus tests ({@link io.nitinol.stress.Litmus}), and what
 * notices that an access is weaker ({@link io.nitinol.stress.Weaken}). The stress tests themselves
 * are in the packages of the classes that they test.
 */
@NullMarked
package io.nitinol.stress;

import org.jspecify.annotations.NullMarked;
