package dev.cairn.state

/** What a restart does with an output whose file is gone, or is not the one that the checkpoint knows. */
public enum class LostOutputs {
    /** It is refused, and the file stays as it is. */
    REFUSE,

    /**
     * The output begins anew, with what comes after the checkpoint: for files that were deleted or rotated on purpose. A file
     * that is there is kept under another name.
     */
    BEGIN_ANEW,
}
