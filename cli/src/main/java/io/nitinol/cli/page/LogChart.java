// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.page;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Curves over numbers of bytes, both axes logarithmic, as SVG inside a page. Colours tell curves
 * apart, and so do shapes, for eyes and prints without colours. Each point can be reached by the
 * keyboard, and shows and tells its figures.
 *
 * @param title what the chart shows
 * @param vertical what the vertical axis is, with its unit
 */
public record LogChart(String title, String vertical) {
  /** Goes into the page's {@code <style>}, once. */
  public static final String STYLE =
      """
      .plot { overflow-x: auto } .chart { width: 100%; min-width: 40rem; max-width: 60rem; height: auto }
      .chart .grid { stroke: var(--line) } .chart .axis { text-anchor: middle } .chart .left { text-anchor: end }
      .chart polyline { fill: none; stroke: currentColor; stroke-width: 2 }
      .point path, .key path { fill: currentColor; stroke: currentColor; stroke-width: 1.5 }
      .hollow path { fill: var(--paper) }
      .point .tip { visibility: hidden } .point:hover .tip, .point:focus .tip { visibility: visible }
      .point:focus { outline: 2px solid var(--ink); outline-offset: 2px } .point:focus path { stroke: var(--ink) }
      .legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.5rem }
      .legend svg { width: 40px; min-width: 0; height: 14px; vertical-align: middle }
      .c0 { color: var(--c0) } .c1 { color: var(--c1) } .c2 { color: var(--c2) } .c3 { color: var(--c3) }
      .c4 { color: var(--c4) } .c5 { color: var(--c5) } .c6 { color: var(--c6) } .c7 { color: var(--c7) }
      """;

  private static final int COLOURS = 8;
  private static final int WIDTH = 860;
  private static final int HEIGHT = 420;
  private static final int LEFT = 70;
  private static final int RIGHT = 36; // half of the longest size below the last line
  private static final int TOP = 30;
  private static final int BOTTOM = 50;

  /** Around 0, 0: a circle, a square, a triangle, a diamond. */
  private static final List<String> SHAPES =
      List.of(
          "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
          "M-3.6-3.6h7.2v7.2h-7.2z",
          "M0-4.6L4.4 3.4h-8.8z",
          "M0-5L4.6 0L0 5L-4.6 0z");

  /**
   * A curve.
   *
   * @param name what the legend calls it
   * @param number which colour and shape it has; two curves of one number belong together
   * @param second whether it is the second of its number, and so dashed and hollow
   * @param points what it goes through, by growing size
   */
  public record Curve(String name, int number, boolean second, List<Point> points) {
    public Curve {
      points = List.copyOf(points);
    }

    private String colour() {
      return "c" + number % COLOURS;
    }

    private String shape() {
      return SHAPES.get((number + number / COLOURS) % SHAPES.size());
    }
  }

  /**
   * A point of a curve.
   *
   * @param text what it tells when it is pointed at, or reached by the keyboard
   */
  public record Point(long bytes, double value, String text) {
    private boolean isOnLogAxes() {
      return bytes > 0 && value > 0;
    }

    private double size() {
      return (double) bytes;
    }
  }

  /** Returns whether there is a point that a logarithmic chart can show. */
  public static boolean canDraw(List<Curve> curves) {
    return curves.stream().flatMap(curve -> curve.points().stream()).anyMatch(Point::isOnLogAxes);
  }

  /** Returns the names of the curves, with a piece of each, as HTML. */
  public static String legend(List<Curve> curves) {
    StringBuilder out = new StringBuilder("<ul class=\"legend\">\n");
    for (Curve curve : curves) {
      out.append(
          ErrorText.of(
              "<li><svg class=\"chart key %s%s\" viewBox=\"-20 -7 40 14\" aria-hidden=\"true\">"
                  + "<polyline%s points=\"-20,0 20,0\"/><path d=\"%s\"/></svg> %s</li>\n",
              curve.colour(),
              curve.second() ? " hollow" : "",
              dashes(curve),
              curve.shape(),
              Html.escaped(curve.name())));
    }
    return out.append("</ul>\n").toString();
  }

  /**
   * Returns the chart as SVG; points whose size or value is 0 are on no logarithmic axis.
   *
   * @param curves of which {@link #canDraw} holds
   */
  public String svg(List<Curve> curves) {
    LogAxis x = LogAxis.ofBytes(edge(curves, Point::size, true), edge(curves, Point::size, false));
    LogAxis y =
        LogAxis.ofFigures(edge(curves, Point::value, true), edge(curves, Point::value, false));
    StringBuilder out = new StringBuilder();
    out.append(
        ErrorText.of(
            "<div class=\"plot\"><svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"group\""
                + " aria-label=\"%s\">\n",
            WIDTH, HEIGHT, Html.escaped(title)));
    drawAxes(out, x, y);
    for (Curve curve : curves) {
      List<String> through = new ArrayList<>();
      for (Point point : curve.points()) {
        if (point.isOnLogAxes()) {
          through.add(ErrorText.of("%.1f,%.1f", across(x, point.size()), down(y, point.value())));
        }
      }
      out.append(
          ErrorText.of(
              "<polyline class=\"%s\"%s points=\"%s\"/>\n",
              curve.colour(), dashes(curve), String.join(" ", through)));
    }
    for (Curve curve : curves) {
      for (Point point : curve.points()) {
        if (point.isOnLogAxes()) {
          drawPoint(out, curve, point, across(x, point.size()), down(y, point.value()));
        }
      }
    }
    return out.append("</svg></div>\n").toString();
  }

  private static String dashes(Curve curve) {
    return curve.second() ? " stroke-dasharray=\"6 4\"" : "";
  }

  private static double edge(List<Curve> curves, ToDoubleFunction<Point> of, boolean least) {
    double edge = least ? Double.POSITIVE_INFINITY : 0;
    for (Curve curve : curves) {
      for (Point point : curve.points()) {
        if (point.isOnLogAxes()) {
          double value = of.applyAsDouble(point);
          edge = least ? Math.min(edge, value) : Math.max(edge, value);
        }
      }
    }
    return edge;
  }

  private static double across(LogAxis axis, double value) {
    return LEFT + axis.place(value) * (WIDTH - LEFT - RIGHT);
  }

  private static double down(LogAxis axis, double value) {
    return HEIGHT - BOTTOM - axis.place(value) * (HEIGHT - TOP - BOTTOM);
  }

  /** Not for screen readers, which have the title and the points. */
  private void drawAxes(StringBuilder out, LogAxis x, LogAxis y) {
    out.append("<g aria-hidden=\"true\">\n");
    for (double tick : x.ticks()) {
      double at = across(x, tick);
      line(out, at, TOP, at, HEIGHT - BOTTOM);
      text(out, "axis", at, HEIGHT - BOTTOM + 18, x.label(tick));
    }
    for (double tick : y.ticks()) {
      double at = down(y, tick);
      line(out, LEFT, at, WIDTH - RIGHT, at);
      text(out, "left", LEFT - 6, at + 4, y.label(tick));
    }
    text(out, "axis", LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 8, "size");
    text(out, "", 4, 16, vertical);
    out.append("</g>\n");
  }

  private static void line(StringBuilder out, double x1, double y1, double x2, double y2) {
    out.append(
        ErrorText.of(
            "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            x1, y1, x2, y2));
  }

  private static void text(StringBuilder out, String style, double x, double y, String text) {
    out.append(
        ErrorText.of(
            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            style, x, y, Html.escaped(text)));
  }

  /** All points tell their figures at the same place, where no curve runs. */
  private static void drawPoint(StringBuilder out, Curve curve, Point point, double x, double y) {
    String told = Html.escaped(point.text());
    out.append(
        ErrorText.of(
            "<g class=\"point %s%s\" tabindex=\"0\" role=\"img\"><title>%s</title>"
                + "<path transform=\"translate(%.1f %.1f)\" d=\"%s\"/>"
                + "<text class=\"tip left\" aria-hidden=\"true\" x=\"%d\" y=\"16\">%s</text></g>\n",
            curve.colour(),
            curve.second() ? " hollow" : "",
            told,
            x,
            y,
            curve.shape(),
            WIDTH - RIGHT,
            told));
  }
}
