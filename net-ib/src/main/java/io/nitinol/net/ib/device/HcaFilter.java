// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbVariables;
import java.util.ArrayList;
import java.util.List;

/**
 * Which ports {@code NCCL_IB_HCA} lets through; mirrors {@code parseStringList} and {@code
 * matchIfList}. The text is a list of {@code name[:port]}, divided by commas. A name fits every
 * card whose name begins with it, or with {@code =} before the list only the card of that name;
 * {@code ^} before all that means: every port but these. Without a port all of a card fit. Blanks
 * do not count, nor do empty entries, and an empty list lets everything through. A rail and a plane
 * behind the port, {@code name:port:rail:plane}, which new releases of NCCL take, do not count.
 *
 * @param text the variable's text
 * @param inverted whether the entries are left out
 * @param exact whether names have to be equal
 * @param entries the list, without duplicates
 */
record HcaFilter(String text, boolean inverted, boolean exact, List<Entry> entries) {
  private static final int ANY_PORT = -1;

  /** The largest number of a port, which verbs keeps in a byte. */
  static final int LAST_PORT = 255;

  /**
   * An entry of the list.
   *
   * @param name the beginning of a card's name, or all of it
   * @param port the port, or -1 for all
   */
  record Entry(String name, int port) {
    boolean fits(String card, int cardPort, boolean exact) {
      return (exact ? card.equals(name) : card.startsWith(name))
          && (port == ANY_PORT || port == cardPort);
    }
  }

  /**
   * Parses the variable's text.
   *
   * @throws IllegalArgumentException for an entry without a name or with a port that is no number
   *     from 1 to 255; the message names the variable
   */
  static HcaFilter parse(String text) {
    String rest = text.strip();
    boolean inverted = rest.startsWith("^");
    rest = inverted ? rest.substring(1).stripLeading() : rest;
    boolean exact = rest.startsWith("=");
    rest = exact ? rest.substring(1) : rest;
    List<Entry> entries = new ArrayList<>();
    for (String item : rest.split(",", -1)) {
      if (!item.isBlank()) {
        Entry entry = entry(item.strip(), text);
        if (!entries.contains(entry)) {
          entries.add(entry);
        }
      }
    }
    return new HcaFilter(text, inverted, exact, List.copyOf(entries));
  }

  private static Entry entry(String item, String text) {
    int colon = item.indexOf(':');
    String name = (colon < 0 ? item : item.substring(0, colon)).strip();
    if (name.isEmpty() || name.startsWith("^") || name.startsWith("=")) {
      throw malformed(text, "\"" + item + "\" does not begin with the name of a card");
    }
    if (colon < 0) {
      return new Entry(name, ANY_PORT);
    }
    String[] numbers = item.substring(colon + 1).split(":", -1);
    if (numbers.length > 3) {
      throw malformed(text, "\"" + item + "\" has more than a port, a rail and a plane");
    }
    return new Entry(name, port(numbers[0].strip(), item, text));
  }

  private static int port(String number, String item, String text) {
    try {
      int port = Integer.parseInt(number);
      if (port >= 1 && port <= LAST_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw malformed(text, "the port of \"" + item + "\" is no number");
    }
    throw malformed(text, "the port of \"" + item + "\" is not from 1 to " + LAST_PORT);
  }

  private static IllegalArgumentException malformed(String text, String problem) {
    return new IllegalArgumentException(
        IbVariables.HCA + "=" + text + ": " + problem + "; expected " + IbVariables.HCA.form());
  }

  /** Returns whether a port is let through. */
  boolean accepts(String card, int port) {
    return entries.isEmpty()
        || entries.stream().anyMatch(e -> e.fits(card, port, exact)) != inverted;
  }

  /** Returns whether a card can have a port that is let through. */
  boolean mayAccept(String card) {
    return inverted
        ? entries.stream().noneMatch(e -> e.port() == ANY_PORT && e.fits(card, ANY_PORT, exact))
        : entries.isEmpty() || entries.stream().anyMatch(e -> e.fits(card, e.port(), exact));
  }
}
