// SPDX-License-Identifier: Apache-2.0

/**
 * Files that a variable or an option names: what stands at a path decides how it is written or
 * read. Begin with {@link io.nitinol.toolkit.file.OutputFile}, through which all reports, logs,
 * caches and secrets are written; {@link io.nitinol.toolkit.file.InputFile} reads with a bound. The
 * files by which the kernel describes a machine are those of {@link
 * io.nitinol.toolkit.file.KernelFiles}. Cold code, called by the thread that wants the file.
 */
@NullMarked
package io.nitinol.toolkit.file;

import org.jspecify.annotations.NullMarked;
