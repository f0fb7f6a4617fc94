/** SION multifiles: many logical files, one per task, inside a few physical ones. */
@SuppressWarnings("module") // the core, of which this module knows nothing else
module dev.cairn.sion {
  requires static com.github.luben.zstd_jni;
  requires static dev.cairn.command;
  requires static org.jspecify;

  exports dev.cairn.sion;
  exports dev.cairn.sion.append;
  exports dev.cairn.sion.copy;
  exports dev.cairn.sion.cursor;
  exports dev.cairn.sion.failure;
  exports dev.cairn.sion.netcdf;
  exports dev.cairn.sion.pnetcdf;
  exports dev.cairn.sion.salvage;
  exports dev.cairn.sion.store;
  exports dev.cairn.sion.store.simulated;
  exports dev.cairn.sion.stripe;
  exports dev.cairn.sion.subfiles;
  exports dev.cairn.sion.zstd;
  exports dev.cairn.sion.log to
      dev.cairn.core; // its outputs wait in logs
}
