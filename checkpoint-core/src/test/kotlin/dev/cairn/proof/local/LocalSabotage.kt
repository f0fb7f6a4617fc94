package dev.cairn.proof.local

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import java.nio.file.Path

/**
 * Mistakes that saves on local disks could make.
 *
 * @property foundSoon a seed with which few crashes show it
 */
internal enum class LocalSabotage(val foundSoon: Long, val program: LocalProgram = LocalProgram.WAITING) {
    /** A save is sealed, and one host has not forced its file. */
    SEALED_BEFORE_FORCED(2),

    /** A save is sealed, and one host has not forced the copy of another one's file. */
    SEALED_BEFORE_COPIED(7, LocalProgram.COPYING),

    /** A save is sealed, and one host has not forced the name of its file. */
    SEALED_WITHOUT_A_NAME(3),

    /** A save is committed, and one host has not forced what it has drained. */
    COMMITTED_BEFORE_FORCED(1),

    /** The hosts delete their files, and the commit is not durable. */
    DELETED_BEFORE_COMMITTED(5),
    ;

    /** The files as [host] sees them. */
    fun through(host: String, files: BlockStore): BlockStore = Sabotaged(this, host, files)
}

private class Sabotaged(private val sabotage: LocalSabotage, private val host: String, private val files: BlockStore) :
    BlockStore by files {
    override fun open(file: Path, access: Access): BlockFile = of(file, files.open(file, access))

    override fun create(file: Path): BlockFile = of(file, files.create(file))

    private fun of(path: Path, file: BlockFile): BlockFile {
        if (host != "node1" || !path.isData()) return file
        val isLocal = path.startsWith(SCRATCH)
        return when (sabotage) {
            LocalSabotage.SEALED_BEFORE_FORCED -> {
                if (isLocal) Unforced(file) else file
            }

            LocalSabotage.SEALED_BEFORE_COPIED -> {
                if (isLocal &&
                    "${path.fileName}" == SaveNames.DATA
                ) {
                    Unforced(file)
                } else {
                    file
                }
            }

            LocalSabotage.COMMITTED_BEFORE_FORCED -> {
                if (isLocal) file else Unforced(file)
            }

            else -> {
                file
            }
        }
    }

    override fun forceDirectory(directory: Path) {
        val isSave = SaveNames.numberOf("${directory.fileName}") != null
        val isLocal = directory.startsWith(SCRATCH)
        val isLeftOut =
            when (sabotage) {
                LocalSabotage.SEALED_WITHOUT_A_NAME -> host == "node1" && isLocal && isSave
                LocalSabotage.DELETED_BEFORE_COMMITTED -> !isLocal && isSave && isCommitted(directory)
                else -> false
            }
        if (!isLeftOut) files.forceDirectory(directory)
    }

    private fun isCommitted(save: Path) =
        save.startsWith(DIRECTORY) && files.exists(save) && files.exists(save.resolve(SaveNames.MANIFEST))
}

/** Also one that is being drained. */
private fun Path.isData() = SaveNames.isData("$fileName") || SaveNames.isPart("$fileName")

private class Unforced(file: BlockFile) : BlockFile by file {
    override fun force() = Unit
}
