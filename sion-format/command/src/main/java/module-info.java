/** How the commands {@code sion} and {@code cairn} talk to people. Programs never depend on it. */
@SuppressWarnings("module") // the modules of the commands, of which this one knows nothing else
module dev.cairn.command {
  requires transitive info.picocli;
  requires static org.jspecify;

  exports dev.cairn.command to
      dev.cairn.core,
      dev.cairn.sion;
  exports dev.cairn.command.svg to
      dev.cairn.core,
      dev.cairn.sion;
}
