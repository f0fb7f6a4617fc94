package dev.cairn.failure

import dev.cairn.sion.store.DiskException
import java.nio.file.Path

/** The types by the names that processes use to report them. */
internal object CheckpointExceptionKinds {
    private val types: Map<String, (CheckpointException.Details) -> CheckpointException> =
        mapOf(
            "StoreInUse" to CheckpointException::StoreInUse,
            "StoreUnusable" to CheckpointException::StoreUnusable,
            "StoreTakenOver" to CheckpointException::StoreTakenOver,
            "DamagedManifest" to CheckpointException::DamagedManifest,
            "UnsupportedManifest" to CheckpointException::UnsupportedManifest,
            "MisplacedSave" to CheckpointException::MisplacedSave,
            "NoSerializer" to CheckpointException::NoSerializer,
            "NoSuchCheckpoint" to CheckpointException::NoSuchCheckpoint,
            "MissingData" to CheckpointException::MissingData,
            "DamagedOnly" to CheckpointException::DamagedOnly,
            "NoneReadable" to CheckpointException::NoneReadable,
            "WrongMeta" to CheckpointException::WrongMeta,
            "LocalUnusable" to CheckpointException::LocalUnusable,
            "LocalSaveLost" to CheckpointException::LocalSaveLost,
            "UnreadableData" to CheckpointException::UnreadableData,
            "OutputInUse" to CheckpointException::OutputInUse,
            "OutputDeclaredAnew" to CheckpointException::OutputDeclaredAnew,
            "UnreadableOutput" to CheckpointException::UnreadableOutput,
            "WrongCopy" to CheckpointException::WrongCopy,
            "DamagedContents" to CheckpointException::DamagedContents,
            "ReplicatedDiffers" to CheckpointException::ReplicatedDiffers,
            "FieldNotTiled" to CheckpointException::FieldNotTiled,
            "WrongContents" to CheckpointException::WrongContents,
            "WrongTaskCount" to CheckpointException::WrongTaskCount,
            "DamagedFrame" to CheckpointException::DamagedFrame,
            "StrayTable" to CheckpointException::StrayTable,
            "WrongCount" to CheckpointException::WrongCount,
            "WrongDigest" to CheckpointException::WrongDigest,
            "StateMoved" to CheckpointException::StateMoved,
            "StateNotRestored" to CheckpointException::StateNotRestored,
            "IdTwice" to CheckpointException::IdTwice,
            "NoSuchOwner" to CheckpointException::NoSuchOwner,
            "OutputDiffers" to CheckpointException::OutputDiffers,
            "HalfRestored" to CheckpointException::HalfRestored,
            "ParameterDiffers" to CheckpointException::ParameterDiffers,
            "SchemaDiffers" to CheckpointException::SchemaDiffers,
            "StreamNotRead" to CheckpointException::StreamNotRead,
            "NoDirectMemory" to CheckpointException::NoDirectMemory,
            "TooFewHosts" to CheckpointException::TooFewHosts,
            "SaveNotCommitted" to CheckpointException::SaveNotCommitted,
            "SaveSkipped" to CheckpointException::SaveSkipped,
            "NoSuchPhase" to CheckpointException::NoSuchPhase,
            "LoopRefused" to CheckpointException::LoopRefused,
            "ColumnNotStorable" to CheckpointException::ColumnNotStorable,
            "ItemNotSaved" to CheckpointException::ItemNotSaved,
            "ItemNotRestored" to CheckpointException::ItemNotRestored,
            "ValueDiffers" to CheckpointException::ValueDiffers,
            "ValueNotStorable" to CheckpointException::ValueNotStorable,
        )

    /** An exception of [kind], rebuilt from another process's report; null if there is no such kind. */
    fun of(
        kind: String,
        details: CheckpointException.Details,
    ): CheckpointException? = types[kind]?.invoke(details)

    /** The exception of a rank that learned of [failure]: of the lowest rank's type, if that is one of these. */
    fun of(failure: RankFailedException): RuntimeException {
        val cause = failure.cause as? CheckpointException ?: return failure
        return of(cause.kind, CheckpointException.Details(cause.message.orEmpty(), cause.facts, failure.failures))
            ?: failure
    }
}

/** A [DiskException] in the words by which processes tell each other of it: its trouble, its file and its reason. */
internal object DiskFailures {
    const val KIND: String = "disk"

    /** Null if the [failure] is another one. */
    fun factsOf(failure: Throwable): List<String>? =
        (failure as? DiskException)?.let { listOf(it.trouble().name, it.file, it.reason) }

    fun of(facts: List<String>): Throwable {
        val (trouble, file, reason) = facts
        return DiskException(DiskException.Trouble.valueOf(trouble), Path.of(file), reason)
    }
}

/** Collective: a [CheckpointException] of [work] reaches all ranks with its own type, not wrapped in another one. */
internal inline fun <T> withTypedFailures(work: () -> T): T =
    try {
        work()
    } catch (failure: RankFailedException) {
        throw CheckpointExceptionKinds.of(failure)
    }
