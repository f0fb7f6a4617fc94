package dev.cairn.sion.store;

/** What an existing file is opened for. */
public enum Access {
  READ,
  READ_WRITE
}
