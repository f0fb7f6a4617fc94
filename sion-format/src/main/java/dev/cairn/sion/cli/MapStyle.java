package dev.cairn.sion.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sizes, colours, patterns and letters of a picture, and the legend that explains them. */
final class MapStyle {
  /** The left end of the bars; their labels stand to the left. */
  static final double LEFT = 96;

  static final double BAR_WIDTH = 880;
  static final double LINE_HEIGHT = 18;

  /** About the width of a digit in a label. */
  static final double DIGIT_WIDTH = 6.5;

  private static final String PAPER_AND_LETTERS =
      """
      <style>
      text { font-family: 'DejaVu Sans', Verdana, sans-serif; font-size: 11px; fill: #333 }
      .title { font-size: 18px; font-weight: bold }
      .heading { font-size: 13px; font-weight: bold }
      .summary { font-size: 13px }
      .note { font-style: italic }
      .row, .inside { text-anchor: end }
      .number { text-anchor: middle; font-size: 10px; fill: #666 }
      .inside { paint-order: stroke; stroke: #fff; stroke-width: 3px }
      .tick { stroke: #999; stroke-width: 1 }
      .border { stroke: #777; stroke-width: 0.7 }
      .light { stroke: #fff; stroke-width: 1.2 }
      .meta { fill: #4d4d4d }
      .behind { fill: #8c6bb1 }
      .gap { fill: url(#dots) }
      .hole { fill: url(#stripes) }
      """;

  private static final String PATTERNS =
      """
      <defs>
      <pattern id='stripes' width='6' height='6' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>
      <rect width='6' height='6' fill='#f1f1ee'/><rect width='1' height='6' fill='#c9c9c4'/></pattern>
      <pattern id='dots' width='5' height='5' patternUnits='userSpaceOnUse'>
      <rect width='5' height='5' fill='#fafafa'/><rect width='1' height='1' fill='#999'/></pattern>
      </defs>
      <rect width='100%' height='100%' fill='#fff'/>
      """;

  private MapStyle() {}

  /**
   * A line of the legend.
   *
   * @param style what it explains
   */
  record Swatch(String style, String words) {}

  /** The head of a picture. */
  static String definitions() {
    StringBuilder text = new StringBuilder(PAPER_AND_LETTERS);
    for (FillDegree degree : FillDegree.values()) {
      text.append('.').append(degree.style()).append(" { fill: ").append(degree.colour());
      text.append(" }\n");
    }
    return text.append("</style>\n").append(PATTERNS).toString();
  }

  /** A text with digits in groups, whatever the locale. */
  @SuppressWarnings("AnnotateFormatMethod") // that would be a dependency
  static String words(String layout, Object... values) {
    return String.format(Locale.ROOT, layout, values);
  }

  static List<Swatch> legend() {
    List<Swatch> legend = new ArrayList<>();
    legend.add(new Swatch("hole", "hole in a chunk"));
    for (FillDegree degree : FillDegree.values()) {
      legend.add(new Swatch("used " + degree.style(), degree.words()));
    }
    legend.add(new Swatch("meta", "META1, META2"));
    legend.add(new Swatch("behind", "mapping"));
    legend.add(new Swatch("gap", "gap"));
    return legend;
  }
}
