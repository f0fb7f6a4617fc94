package dev.cairn.sion.store.simulated;

/** The handles that a file lock excludes on a file system that several hosts share. */
public enum LockReach {
  /** Every other handle on any host. */
  ALL_HOSTS,

  /** Other handles on the same host only, as on a parallel file system mounted with local locks. */
  ONE_HOST;

  /** Two handles exclude each other when their hosts have the same domain. */
  String domainOf(String host) {
    return this == ALL_HOSTS ? "" : host;
  }
}
