// SPDX-License-Identifier: Apache-2.0
/** The rules of the house, checked on the classes of all modules. */
@NullMarked
package io.nitinol.compat.architecture;

import org.jspecify.annotations.NullMarked;
