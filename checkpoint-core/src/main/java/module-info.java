/**
 * Checkpoint and restart: what state a program has, and how it comes back on any number of ranks.
 */
module dev.cairn.core {
  requires dev.cairn.sion;
  requires kotlin.stdlib;
  requires kotlinx.coroutines.core;
  requires kotlinx.serialization.json;
  requires static org.jspecify;
}
