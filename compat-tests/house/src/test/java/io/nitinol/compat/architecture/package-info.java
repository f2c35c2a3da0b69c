// SPDX-License-Identifier: Apache-2.0
/**
 * Checks the rules of the house on the classes of all modules. Begin with {@code ArchitectureTest},
 * which says what each module may use, and {@code HouseRules}, which hold inside every module.
 */
@NullMarked
package io.nitinol.compat.architecture;

import org.jspecify.annotations.NullMarked;
