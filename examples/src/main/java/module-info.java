/** Programs that show how Cairn is used. Nothing depends on them. */
@SuppressWarnings("requires-automatic") // Hipparchus has no descriptor.
module dev.cairn.examples {
  requires dev.cairn.core;
  requires dev.cairn.sion;
  requires hipparchus.ode;
  requires kotlin.stdlib;
  requires static org.jspecify;
}
