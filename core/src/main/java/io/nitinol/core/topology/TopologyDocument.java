// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import io.nitinol.core.topology.xml.XmlElement;
import io.nitinol.core.topology.xml.XmlException;
import io.nitinol.core.topology.xml.XmlReader;
import io.nitinol.core.topology.xml.XmlWriter;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A topology file in NCCL's XML format, as {@code NCCL_TOPO_DUMP_FILE} of NCCL writes it. It keeps
 * every element and attribute in order, also those that the graph does not need, so what is read
 * can be written again. Immutable.
 */
public final class TopologyDocument {
  private static final int VERSION = 1;

  private final XmlElement system;
  private final Topology topology;

  private TopologyDocument(XmlElement system, Topology topology) {
    this.system = system;
    this.topology = topology;
  }

  /**
   * Reads a file of at most 8 MiB.
   *
   * @param file the path, as the user gave it
   * @throws TopologyException with the file, the line and the value
   */
  public static TopologyDocument read(Path file) throws TopologyException {
    try {
      return parse(file.toString(), InputFile.read(file, XmlReader.MOST_BYTES));
    } catch (IOException e) {
      throw new TopologyException(
          ErrorText.of("%s cannot be read: %s", file, ErrorText.reason(e)), e);
    }
  }

  /**
   * Reads the bytes of a file.
   *
   * @param name what errors call it
   * @param content its bytes, in UTF-8
   * @throws TopologyException with the name, the line and the value
   */
  public static TopologyDocument parse(String name, byte[] content) throws TopologyException {
    try {
      return of(XmlReader.read(content));
    } catch (XmlException e) {
      throw new TopologyException(ErrorText.of("%s, %s", name, e.getMessage()), e);
    }
  }

  /**
   * Makes a document of elements that were not read from a file.
   *
   * @param name what errors call it
   * @param root the outermost element
   * @throws TopologyException with the name and the value
   */
  public static TopologyDocument of(String name, XmlElement root) throws TopologyException {
    try {
      return of(root);
    } catch (XmlException e) {
      throw new TopologyException(ErrorText.of("%s, %s", name, e.getMessage()), e);
    }
  }

  private static TopologyDocument of(XmlElement root) throws XmlException {
    if (!root.name().equals("system")) {
      throw new XmlException(
          root.line(), ErrorText.of("<%s> stands where <system> should", root.name()));
    }
    if (root.requireInt("version") != VERSION) {
      throw root.wrong("version", root.require("version"), Integer.toString(VERSION));
    }
    return new TopologyDocument(root, TopologyBuilder.build(root));
  }

  /** Returns the outermost element. */
  public XmlElement root() {
    return system;
  }

  /** Returns the graph. */
  public Topology topology() {
    return topology;
  }

  /** Returns the file's text, one element to a line. */
  public String text() {
    return XmlWriter.text(system);
  }

  /**
   * Writes {@link #text()}, by the rules of {@link OutputFile}.
   *
   * @param file the path, as the user gave it
   * @throws IOException with a reason in words
   */
  public void write(Path file) throws IOException {
    OutputFile.write(file, text());
  }
}
