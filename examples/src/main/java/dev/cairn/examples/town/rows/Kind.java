package dev.cairn.examples.town.rows;

/** The kinds of agents. */
enum Kind {
  RESIDENT,
  SHOPKEEPER,
  COURIER,
  REPORTER
}
