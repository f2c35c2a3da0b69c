// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds JSON against a schema of {@code docs/schemas}. It knows the words of JSON Schema that these
 * use, and refuses a schema with any other: {@code type}, {@code properties}, {@code required},
 * {@code additionalProperties}, {@code items}, {@code anyOf}, {@code $ref} into {@code $defs}, and
 * those that only describe.
 */
final class SchemaCheck {
  private static final List<String> KNOWN =
      List.of(
          "$schema",
          "$defs",
          "$ref",
          "title",
          "description",
          "type",
          "properties",
          "required",
          "additionalProperties",
          "items",
          "anyOf");

  private final JsonNode root;
  private final List<String> mistakes = new ArrayList<>();

  private SchemaCheck(JsonNode root) {
    this.root = root;
  }

  /** Returns what of a command's JSON is not as its schema says, each with its place. */
  static List<String> mistakes(String command, String json) throws IOException {
    Path file =
        Path.of(System.getProperty("nitinol.root", ".."), "docs/schemas", command + ".schema.json");
    return mistakes(read(Files.readString(file)), read(json));
  }

  static List<String> mistakes(JsonNode schema, JsonNode value) {
    SchemaCheck check = new SchemaCheck(schema);
    check.look(schema, value, "$");
    return check.mistakes;
  }

  static JsonNode read(String json) {
    return JsonMapper.builder().build().readTree(json);
  }

  private void look(JsonNode schema, JsonNode value, String place) {
    for (String word : members(schema).keySet()) {
      if (!KNOWN.contains(word)) {
        throw new IllegalArgumentException(place + ": the schema has the word " + word);
      }
    }
    if (schema.has("$ref")) {
      look(root.at(schema.path("$ref").asString().substring(1)), value, place);
    } else if (schema.has("anyOf")) {
      any(schema.path("anyOf"), value, place);
    } else if (hasType(schema.path("type"), value)) {
      members(schema, value, place);
      for (int i = 0; value.isArray() && i < value.size(); i++) {
        look(schema.path("items"), value.get(i), place + "[" + i + "]");
      }
    } else {
      mistakes.add(place + ": " + value + " is not of type " + schema.path("type"));
    }
  }

  private void any(JsonNode schemas, JsonNode value, String place) {
    List<String> first = null;
    for (JsonNode each : schemas) {
      SchemaCheck alone = new SchemaCheck(root);
      alone.look(each, value, place);
      if (alone.mistakes.isEmpty()) {
        return;
      }
      first = first == null ? alone.mistakes : first;
    }
    mistakes.addAll(first == null ? List.of(place + ": anyOf is empty") : first);
  }

  private void members(JsonNode schema, JsonNode value, String place) {
    if (!value.isObject()) {
      return;
    }
    for (JsonNode name : schema.path("required")) {
      if (!value.has(name.asString())) {
        mistakes.add(place + ": there is no " + name.asString());
      }
    }
    JsonNode others = schema.path("additionalProperties");
    members(value)
        .forEach((name, member) -> {
          JsonNode known = schema.path("properties").path(name);
          if (!known.isMissingNode()) {
            look(known, member, place + "." + name);
          } else if (others.isObject()) {
            look(others, member, place + "." + name);
          } else {
            mistakes.add(place + ": nothing is said of " + name);
          }
        });
  }

  private static Map<String, JsonNode> members(JsonNode node) {
    Map<String, JsonNode> members = new TreeMap<>();
    node.properties().forEach(each -> members.put(each.getKey(), each.getValue()));
    return members;
  }

  private static boolean hasType(JsonNode types, JsonNode value) {
    if (!types.isArray()) {
      return isA(types.asString(), value);
    }
    for (JsonNode type : types) {
      if (isA(type.asString(), value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isA(String type, JsonNode value) {
    return switch (type) {
      case "null" -> value.isNull();
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "string" -> value.isString();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> throw new IllegalArgumentException("the schema has the type " + type);
    };
  }
}
