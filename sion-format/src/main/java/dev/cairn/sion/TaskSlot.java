package dev.cairn.sion;

import java.nio.ByteOrder;
import java.util.Optional;

/**
 * What one task needs to write its stream: small enough to be sent to it.
 *
 * @param task its number in the multifile
 * @param fileNumber the physical file that holds its chunks
 * @param start where its chunk in block 0 begins
 * @param stride from one of its chunks to the next
 * @param chunkSize the most bytes that it may write into a chunk
 * @param metaDataOrder the byte order of the headers of its records
 * @param group the tasks with which it shares blocks; empty if no task of the multifile shares any
 */
public record TaskSlot(
    int task,
    int fileNumber,
    long start,
    long stride,
    long chunkSize,
    ByteOrder metaDataOrder,
    Optional<TaskGroup> group) {}
