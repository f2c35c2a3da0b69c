// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.build;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A module of this build, as its pom describes it where tests are skipped.
 *
 * @param directory where it lies below the root
 * @param dependencies what it needs then, profiles included that are not for builds with tests
 */
record Pom(String directory, List<Dependency> dependencies) {

  /** What a module needs: an artifact, its type and its scope. */
  record Dependency(String group, String artifact, String type, String scope) {}

  /** Reads the modules below the root, by artifact. */
  static Map<String, Pom> all(Path root) throws IOException {
    Map<String, Pom> found = new HashMap<>();
    read(root, root, found);
    return found;
  }

  private static void read(Path root, Path directory, Map<String, Pom> found) throws IOException {
    Element project = parse(directory.resolve("pom.xml"));
    List<Dependency> dependencies = new ArrayList<>(dependencies(project));
    for (Element profile : children(project, "profiles", "profile")) {
      boolean forTests =
          children(profile, "activation", "property").stream()
              .anyMatch(property -> text(property, "name", "").equals("!maven.test.skip"));
      if (!forTests) {
        dependencies.addAll(dependencies(profile));
      }
    }
    found.put(
        text(project, "artifactId", ""),
        new Pom(root.relativize(directory).toString(), dependencies));
    for (Element module : children(project, "modules", "module")) {
      read(root, directory.resolve(module.getTextContent().strip()), found);
    }
  }

  private static List<Dependency> dependencies(Element of) {
    return children(of, "dependencies", "dependency").stream()
        .map(each ->
            new Dependency(
                text(each, "groupId", ""),
                text(each, "artifactId", ""),
                text(each, "type", "jar"),
                text(each, "scope", "compile")))
        .toList();
  }

  private static Element parse(Path file) throws IOException {
    try {
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .parse(file.toFile())
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static List<Element> children(Element of, String group, String name) {
    return children(of, group).flatMap(each -> children(each, name)).toList();
  }

  private static Stream<Element> children(Element of, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = of.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found.stream();
  }

  private static String text(Element of, String name, String otherwise) {
    return children(of, name).findFirst().map(e -> e.getTextContent().strip()).orElse(otherwise);
  }
}
