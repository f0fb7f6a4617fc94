package dev.cairn.sion.cli;

import java.util.Locale;

/**
 * How well the room of chunks is filled, in the steps that a picture distinguishes: from warm
 * colours for little to blue ones for much. These are distinct with red-green colour blindness,
 * too.
 */
enum FillDegree {
  LITTLE("filled up to 25 %", 0.25, "#d7603c"),
  SOME("up to 50 %", 0.5, "#f2a65a"),
  MORE("up to 75 %", 0.75, "#9cc7e3"),
  MOST("below 100 %", 1, "#4a90c8"),
  FULL("full", Double.POSITIVE_INFINITY, "#1c4e80");

  private final String words;
  private final double below;
  private final String colour;

  FillDegree(String words, double below, String colour) {
    this.words = words;
    this.below = below;
    this.colour = colour;
  }

  static FillDegree of(long used, long room) {
    double share = (double) used / room;
    for (FillDegree degree : values()) {
      if (share < degree.below) {
        return degree;
      }
    }
    return FULL;
  }

  /** What the legend says. */
  String words() {
    return words;
  }

  String colour() {
    return colour;
  }

  /** The name under which the picture's style has its colour. */
  String style() {
    return name().toLowerCase(Locale.ROOT);
  }
}
