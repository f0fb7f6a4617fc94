/** SION multifiles: many logical files, one per task, inside a few physical ones. */
module dev.cairn.sion {
  requires static info.picocli;
  requires static org.jspecify;

  exports dev.cairn.sion;
  exports dev.cairn.sion.store;
}
