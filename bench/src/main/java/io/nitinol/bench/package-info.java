// SPDX-License-Identifier: Apache-2.0
/**
 * What all benches share: options, the state of the machine, medians, and warnings on stderr. Each
 * bench has a package of its own and a script of its name in {@code bench}.
 */
@NullMarked
package io.nitinol.bench;

import org.jspecify.annotations.NullMarked;
