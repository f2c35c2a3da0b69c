// SPDX-License-Identifier: Apache-2.0

/**
 * The command {@code doctor}: what is right on this machine, what is not, and the command that
 * mends it. Begin with {@link io.nitinol.cli.doctor.DoctorCommand}, which runs the classes named
 * {@code ...Checks} one after the other on its thread. Each of them makes {@link
 * io.nitinol.cli.doctor.DoctorFinding}s of files of the kernel, which tests write themselves.
 */
@NullMarked
package io.nitinol.cli.doctor;

import org.jspecify.annotations.NullMarked;
