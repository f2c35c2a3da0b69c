// SPDX-License-Identifier: Apache-2.0

/**
 * The part of XML that NCCL's topology files use: elements and attributes, bounded in bytes, depth
 * and number. {@link io.nitinol.core.topology.xml.XmlReader} reads it and {@link
 * io.nitinol.core.topology.xml.XmlWriter} writes it. It is a reader of its own, since the format
 * has no text, no name spaces and no entities of a document: what a full parser has to be forbidden
 * does not exist here, every element knows its line, and {@code core} needs no further module of
 * the JDK.
 */
@NullMarked
package io.nitinol.core.topology.xml;

import org.jspecify.annotations.NullMarked;
