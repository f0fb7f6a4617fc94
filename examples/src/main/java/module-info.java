/** Programs that show how Cairn is used. Nothing depends on them. */
module dev.cairn.examples {
  requires dev.cairn.core;
  requires dev.cairn.sion;
  requires info.picocli;
  requires kotlin.stdlib;
  requires kotlinx.serialization.json;
  requires static org.jspecify;
}
