package dev.cairn.examples.town.plain;

/** The kinds of agents. */
enum Kind {
  RESIDENT,
  SHOPKEEPER,
  COURIER,
  REPORTER
}
