// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import io.nitinol.core.topology.xml.XmlElement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An element of the topology file while it is put together. */
final class Part {
  final String name;
  final Map<String, String> attributes = new LinkedHashMap<>();
  final List<Part> children = new ArrayList<>();
  @Nullable Part parent;

  /** Whether a GPU or network device of this machine is here, so that it stays. */
  boolean kept;

  Part(String name) {
    this.name = name;
  }

  /** Copies an element that was read. */
  static Part of(XmlElement read) {
    Part part = new Part(read.name());
    part.attributes.putAll(read.attributes());
    for (XmlElement child : read.children()) {
      part.add(of(child));
    }
    return part;
  }

  Part add(Part child) {
    return add(children.size(), child);
  }

  Part add(int at, Part child) {
    child.parent = this;
    children.add(at, child);
    return child;
  }

  String get(String key) {
    return attributes.getOrDefault(key, "");
  }

  void set(String key, String value) {
    attributes.put(key, value);
  }

  /** Sets an attribute that a file has not set. */
  void setIfUnset(String key, String value) {
    attributes.putIfAbsent(key, value);
  }

  /** Returns the child of a name, made where there is none. */
  Part child(String wanted) {
    for (Part child : children) {
      if (child.name.equals(wanted)) {
        return child;
      }
    }
    return add(new Part(wanted));
  }

  /** Returns the first element of a name, and with a value, in this one; null where none is. */
  @Nullable Part find(String wanted, String key, String value) {
    if (name.equals(wanted) && get(key).equalsIgnoreCase(value)) {
      return this;
    }
    for (Part child : children) {
      Part found = child.find(wanted, key, value);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Removes what has neither a GPU nor a network device of this machine in it. */
  boolean trim() {
    boolean any = kept;
    for (Part child : List.copyOf(children)) {
      any |= child.trim();
    }
    boolean removable =
        switch (name) {
          case "pci", "cpu", "nic", "net" -> true;
          default -> false;
        };
    if (!any && removable && parent != null) {
      parent.children.remove(this);
    }
    return any;
  }

  /** Returns the finished element. */
  XmlElement element() {
    return new XmlElement(
        name,
        Collections.unmodifiableMap(new LinkedHashMap<>(attributes)),
        children.stream().map(Part::element).toList(),
        1);
  }
}
