// SPDX-License-Identifier: Apache-2.0
/**
 * Which devices the verbs plugin has: cards and their ports, filters, addresses, speeds, places on
 * the PCI bus, ports joined to one device, and what asynchronous events say about them.
 */
@NullMarked
package io.nitinol.net.ib.device;

import org.jspecify.annotations.NullMarked;
