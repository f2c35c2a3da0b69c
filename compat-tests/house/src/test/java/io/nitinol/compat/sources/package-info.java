// SPDX-License-Identifier: Apache-2.0
/** Tests that read the sources of all modules, for mistakes that no other test would notice. */
@NullMarked
package io.nitinol.compat.sources;

import org.jspecify.annotations.NullMarked;
