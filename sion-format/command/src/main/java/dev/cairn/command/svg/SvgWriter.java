package dev.cairn.command.svg;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The few elements of SVG of which Cairn's pictures are made. A style is a class of CSS, or
 * several, which the picture or the page around it defines. One thread at a time.
 */
public final class SvgWriter {
  private static final int DECIMALS = 4;

  private final StringBuilder svg = new StringBuilder(1 << 12);

  /**
   * Begins with the picture's own style and patterns; its size is known when all is drawn.
   *
   * @param definitions elements of SVG, which are taken as they are
   */
  public SvgWriter(String definitions) {
    svg.append(definitions);
  }

  /** A rectangle with {@code title} as its tooltip. */
  public void box(
      String style, double left, double top, double width, double height, String title) {
    rectangle(style, left, top, width, height);
    titled(title).append("</rect>\n");
  }

  public void box(String style, double left, double top, double width, double height) {
    rectangle(style, left, top, width, height);
    svg.append("/>\n");
  }

  private void rectangle(String style, double left, double top, double width, double height) {
    begin("rect", style);
    attribute("x", left).attribute("y", top).attribute("width", width).attribute("height", height);
  }

  /** Text that begins, is centred or ends at {@code x}, as its style says. */
  public void text(String style, double x, double baseline, String text) {
    begin("text", style).attribute("x", x).attribute("y", baseline);
    svg.append('>').append(escaped(text)).append("</text>\n");
  }

  public void line(String style, double fromX, double fromY, double toX, double toY) {
    begin("line", style).attribute("x1", fromX).attribute("y1", fromY);
    attribute("x2", toX).attribute("y2", toY);
    svg.append("/>\n");
  }

  /** A line from point to point; {@code xs} and {@code ys} are equally long. */
  public void polyline(String style, double[] xs, double[] ys) {
    begin("polyline", style);
    svg.append(" fill='none' points='");
    for (int point = 0; point < xs.length; point++) {
      svg.append(point == 0 ? "" : " ").append(number(xs[point])).append(',');
      svg.append(number(ys[point]));
    }
    svg.append("'/>\n");
  }

  public void dot(String style, double x, double y, double radius) {
    circle(style, x, y, radius);
    svg.append("/>\n");
  }

  /** A filled circle with {@code title} as its tooltip. */
  public void dot(String style, double x, double y, double radius, String title) {
    circle(style, x, y, radius);
    titled(title).append("</circle>\n");
  }

  private void circle(String style, double x, double y, double radius) {
    begin("circle", style).attribute("cx", x).attribute("cy", y).attribute("r", radius);
  }

  /** Begins a group of elements, which {@link #endGroup} ends. */
  public void group(String style) {
    begin("g", style);
    svg.append(">\n");
  }

  public void endGroup() {
    svg.append("</g>\n");
  }

  /** The whole picture, as a file of its own. */
  public byte[] picture(double width, double height) {
    String start =
        String.format(
            Locale.ROOT,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%1$s' height='%2$s'"
                + " viewBox='0 0 %1$s %2$s'>%n",
            number(width),
            number(height));
    return (start + svg + "</svg>\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The whole picture as an element of a page, as wide as there is room. */
  public String element(double width, double height) {
    return String.format(
        Locale.ROOT,
        "<svg viewBox='0 0 %s %s' role='img'>\n%s</svg>\n",
        number(width),
        number(height),
        svg);
  }

  private SvgWriter begin(String element, String style) {
    svg.append('<').append(element).append(" class='").append(style).append('\'');
    return this;
  }

  private SvgWriter attribute(String name, double value) {
    svg.append(' ').append(name).append("='").append(number(value)).append('\'');
    return this;
  }

  private StringBuilder titled(String title) {
    return svg.append("><title>").append(escaped(title)).append("</title>");
  }

  private static String number(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /**
   * A text without meaning for SVG or HTML. Names of files can hold control characters, which XML
   * does not allow.
   */
  public static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;")
        .replaceAll("\\p{Cntrl}", "?");
  }
}
