// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.page;

/**
 * The parts that all pages have. A page has its own style and drawings; it runs no script and loads
 * nothing, and its policy makes a browser refuse both.
 */
public final class Html {
  /** Colours by name, so that a page says what a colour is for, and is right on dark screens. */
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --soft: #5d6878; --line: #c9d1da; --box: #f4f6f8;
        --c0: #0b5cad; --c1: #b54708; --c2: #1a7f37; --c3: #8a2ba0; --c4: #b42318; --c5: #0e7490; --c6: #7a4a0b; --c7: #475467 }
      @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9ea7b3; --line: #39424e; --box: #161b22;
        --c0: #6cb6ff; --c1: #f0883e; --c2: #56d364; --c3: #d2a8ff; --c4: #ff7b72; --c5: #39c5cf; --c6: #e3b341; --c7: #b1bac4 } }
      body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; color: var(--ink); background: var(--paper) }
      a { color: var(--c0) } h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem } h3 { font-size: 1rem }
      table { border-collapse: collapse; margin: 1rem 0 } caption { text-align: left; color: var(--soft) }
      th, td { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid var(--line) }
      pre { background: var(--box); padding: .8rem; overflow-x: auto; font-size: 13px }
      .wide { overflow-x: auto } .wide:focus { outline: 2px solid var(--ink) }
      svg text { font: 12px system-ui, sans-serif; fill: var(--ink) }
      """;

  private Html() {}

  /**
   * Returns the beginning of a page, its heading included.
   *
   * @param title of the page, as text
   * @param head more for its head, as HTML: a {@code <style>}, a {@code <meta>}
   */
  public static String begin(String title, String head) {
    return """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>%1$s</title>
    <style>
    %2$s</style>
    %3$s</head><body>
    <h1>%1$s</h1>
    """
        .formatted(escaped(title), STYLE, head);
  }

  /** Returns the end of a page. */
  public static String end() {
    return "</body></html>\n";
  }

  /**
   * Returns a text as HTML shows it, between tags or in a value with quotation marks. A character
   * that HTML cannot express becomes U+FFFD.
   */
  public static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> safe.append("&amp;");
            case '<' -> safe.append("&lt;");
            case '>' -> safe.append("&gt;");
            case '"' -> safe.append("&quot;");
            case '\'' -> safe.append("&#39;");
            default -> safe.appendCodePoint(isAllowed(c) ? c : '\uFFFD');
          }
        });
    return safe.toString();
  }

  private static boolean isAllowed(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= ' ' && c < 0x7F)
        || (c >= 0xA0 && c < Character.MIN_SURROGATE)
        || (c > Character.MAX_SURROGATE && c < 0xFFFE)
        || c > 0xFFFF;
  }
}
