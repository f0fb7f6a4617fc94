package dev.cairn.item;

/** Takes one off whenever it is made. */
public record Countdown(int number) {
  public Countdown {
    if (number > 0) {
      number--;
    }
  }
}
