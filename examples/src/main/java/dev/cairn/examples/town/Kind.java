package dev.cairn.examples.town;

/** The kinds of agents. */
enum Kind {
  RESIDENT,
  SHOPKEEPER,
  COURIER,
  REPORTER
}
