package dev.cairn.sion.stripe;

/**
 * Bytes of a request in memory, where its extents lie one behind the other.
 *
 * @param position where they begin; 0 is the first byte of the request
 * @param length how many they are
 */
public record MemorySlice(long position, long length) {}
