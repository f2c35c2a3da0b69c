// SPDX-License-Identifier: Apache-2.0
/**
 * {@code nitinol tck}: runs the conformance kit on a plugin that is installed or lies in a jar or a
 * native library.
 *
 * <p>Begin at {@code TckCommand}. The tests run in processes of their own ({@code ContainedRun}),
 * since a plugin may end its process. Such a process notes in a file what it does ({@code
 * NoteWriter}), and the command reads the file when the process is gone ({@code RunNotes}).
 */
@NullMarked
package io.nitinol.cli.tck;

import org.jspecify.annotations.NullMarked;
