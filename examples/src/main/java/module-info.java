/** Programs that show how Cairn is used. Nothing depends on them. */
@SuppressWarnings("requires-automatic") // Kryo and Hipparchus have no descriptor.
module dev.cairn.examples {
  requires com.esotericsoftware.kryo;
  requires dev.cairn.command; // the plots of benchmarks
  requires dev.cairn.core;
  requires dev.cairn.sion;
  requires hipparchus.ode;
  requires info.picocli;
  requires kotlin.stdlib;
  requires kotlinx.coroutines.core;
  requires kotlinx.serialization.json;
  requires static org.jspecify;
}
