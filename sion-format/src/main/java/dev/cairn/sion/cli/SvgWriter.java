package dev.cairn.sion.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The few elements of SVG of which a picture is made. One thread at a time. */
final class SvgWriter {
  private static final int DECIMALS = 4;

  private final StringBuilder svg = new StringBuilder(1 << 16);

  /** The picture's own style and patterns; its size is known when all is drawn. */
  SvgWriter(String definitions) {
    svg.append(definitions);
  }

  /** A rectangle with {@code title} as its tooltip. */
  void box(String style, double left, double top, double width, double height, String title) {
    rectangle(style, left, top, width, height);
    svg.append("><title>").append(escaped(title)).append("</title></rect>\n");
  }

  void box(String style, double left, double top, double width, double height) {
    rectangle(style, left, top, width, height);
    svg.append("/>\n");
  }

  private void rectangle(String style, double left, double top, double width, double height) {
    svg.append("<rect class='").append(style).append('\'');
    attribute("x", left).attribute("y", top).attribute("width", width).attribute("height", height);
  }

  /** Text that begins, is centred or ends at {@code x}, as its style says. */
  void text(String style, double x, double baseline, String text) {
    svg.append("<text class='").append(style).append('\'');
    attribute("x", x).attribute("y", baseline);
    svg.append('>').append(escaped(text)).append("</text>\n");
  }

  void line(String style, double x, double top, double bottom) {
    svg.append("<line class='").append(style).append('\'');
    attribute("x1", x).attribute("y1", top).attribute("x2", x).attribute("y2", bottom);
    svg.append("/>\n");
  }

  /** Begins a group of elements, which {@link #endGroup} ends. */
  void group(String style) {
    svg.append("<g class='").append(style).append("'>\n");
  }

  void endGroup() {
    svg.append("</g>\n");
  }

  /** The whole picture. */
  byte[] picture(double width, double height) {
    String start =
        String.format(
            Locale.ROOT,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%1$s' height='%2$s'"
                + " viewBox='0 0 %1$s %2$s'>%n",
            number(width),
            number(height));
    return (start + svg + "</svg>\n").getBytes(StandardCharsets.UTF_8);
  }

  private SvgWriter attribute(String name, double value) {
    svg.append(' ').append(name).append("='").append(number(value)).append('\'');
    return this;
  }

  private static String number(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** File names can hold control characters, which XML does not allow. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replaceAll("\\p{Cntrl}", "?");
  }
}
