// SPDX-License-Identifier: Apache-2.0
/** Tests that read the main sources of all modules, which nothing at run time would notice. */
@NullMarked
package io.nitinol.compat.sources;

import org.jspecify.annotations.NullMarked;
