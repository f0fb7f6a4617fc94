package dev.cairn.sion.layout;

/**
 * Consecutive bytes of one physical file: the only way a position travels.
 *
 * @param offset where they begin
 * @param length how many they are
 */
public record Extent(long offset, long length) {}
