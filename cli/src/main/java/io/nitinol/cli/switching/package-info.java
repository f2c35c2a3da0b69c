// SPDX-License-Identifier: Apache-2.0
/**
 * {@code nitinol switch}: runs the switch of {@code net-collnet}, which reduces in the network, and
 * shows its statistics over HTTP. Begin at {@code SwitchCommand}.
 */
@NullMarked
package io.nitinol.cli.switching;

import org.jspecify.annotations.NullMarked;
