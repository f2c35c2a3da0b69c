// SPDX-License-Identifier: Apache-2.0
/** {@code nitinol switch}: the switch that reduces in the network, and its statistics over HTTP. */
@NullMarked
package io.nitinol.cli.switching;

import org.jspecify.annotations.NullMarked;
