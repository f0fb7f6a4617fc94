/**
 * Checkpoint and restart: declares the state of a program, saves it, and restores it on any number
 * of ranks.
 */
module dev.cairn.core {
  exports dev.cairn;
  exports dev.cairn.output;
  exports dev.cairn.state;
  exports dev.cairn.ranks;
  exports dev.cairn.concentrate; // for Concentrators
  exports dev.cairn.event;
  exports dev.cairn.grid;
  exports dev.cairn.item; // for Row, in which a table hands out its rows
  exports dev.cairn.java;
  exports dev.cairn.multifile;
  exports dev.cairn.options;
  exports dev.cairn.reading;
  exports dev.cairn.testing;

  requires transitive dev.cairn.sion;
  requires transitive kotlin.stdlib;
  requires transitive kotlinx.coroutines.core;
  requires transitive kotlinx.serialization.core;
  requires java.management; // how much memory the process may take
  requires static jdk.jdi; // the variables of a program under trial
  requires static jdk.httpserver; // the page of cairn report --watch
  requires jdk.management;
  requires jdk.unsupported; // signals, for which there is no other door
  requires kotlinx.serialization.json;
  requires static dev.cairn.command;
  requires static org.jspecify;

  uses dev.cairn.ranks.TransportProvider;
}
