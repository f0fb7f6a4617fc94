package dev.cairn.sion;

/**
 * The tasks with which a task shares file-system blocks.
 *
 * @param collector the number of the task that may write for all of them
 * @param taskCount how many they are
 * @param start where their chunks begin in block 0
 * @param size the bytes of all their chunks in one block
 * @param merged whether all of them write one stream, the collector's
 */
public record TaskGroup(int collector, int taskCount, long start, long size, boolean merged) {}
