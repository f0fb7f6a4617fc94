package dev.cairn.store

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldNotBeEmpty
import java.nio.file.Path

/** The mistakes that a store of checkpoints can make. */
private enum class Sabotage {
    NONE,
    DATA_NOT_FORCED,
    MANIFEST_NOT_FORCED,
    MANIFEST_NAMED_BEFORE_IT_IS_FORCED,
    SAVE_DIRECTORY_NOT_FORCED,
    STORE_DIRECTORY_NOT_FORCED,
    PARENT_NOT_FORCED,
    DATA_DELETED_BEFORE_MANIFEST,
    RETENTION_BEFORE_COMMIT,
}

/** The crash campaign is worth something only if it finds these mistakes. A lock that is not read again: see FencingSpec. */
class SabotageSpec :
    FunSpec({
        for (sabotage in Sabotage.entries) {
            val verdict =
                when (sabotage) {
                    Sabotage.NONE -> "no promise is broken"
                    else -> "promises are broken, and it is seen"
                }
            test("with sabotage $sabotage $verdict") {
                val histogram = CrashHistogram()
                if (sabotage == Sabotage.NONE) {
                    histogram.crashEverywhere(::Scene) { live(it, sabotage) }
                    histogram.broken.shouldBeEmpty()
                } else {
                    histogram.crashUntilBroken(::Scene) { live(it, sabotage) }
                    histogram.broken.shouldNotBeEmpty()
                }
                println("SabotageSpec, $sabotage: $histogram")
            }
        }
    })

/** Three saves, of which one at a time is kept; a save is promised only when the one before has gone. */
private fun live(scene: Scene, sabotage: Sabotage) {
    val store = SabotagedStore(scene.host(), sabotage)
    store.own("a").use { owned ->
        repeat(3) {
            val number = owned.save(store)
            owned.retain(Retention.keepOnlyNewest(), wholeData(store)).total()
            scene.promises.begun = number
            scene.promises.committed = number
            scene.promises.goodCount = 1
        }
    }
}

private class SabotagedStore(private val target: BlockStore, private val sabotage: Sabotage) : BlockStore by target {
    private val postponed = mutableListOf<Path>()

    override fun create(file: Path): BlockFile {
        val created = target.create(file)
        return if (isUnforced(file)) Unforced(created) else created
    }

    override fun open(file: Path, access: Access): BlockFile {
        val opened = target.open(file, access)
        return if (isUnforced(file)) Unforced(opened) else opened
    }

    private fun isUnforced(file: Path): Boolean =
        when (sabotage) {
            Sabotage.DATA_NOT_FORCED -> file.name.startsWith("data.sion")
            Sabotage.MANIFEST_NOT_FORCED -> file.name == "manifest.json.new"
            Sabotage.MANIFEST_NAMED_BEFORE_IT_IS_FORCED -> file.name == "manifest.json.new"
            else -> false
        }

    override fun rename(from: Path, to: Path) {
        if (sabotage == Sabotage.DATA_DELETED_BEFORE_MANIFEST && from.name == SaveNames.MANIFEST) return
        target.rename(from, to)
        if (sabotage == Sabotage.MANIFEST_NAMED_BEFORE_IT_IS_FORCED) {
            target.open(to, Access.READ_WRITE).use(BlockFile::force)
        }
    }

    override fun forceDirectory(directory: Path) =
        when {
            sabotage == Sabotage.SAVE_DIRECTORY_NOT_FORCED && directory.parent == DIRECTORY -> Unit
            sabotage == Sabotage.STORE_DIRECTORY_NOT_FORCED && directory == DIRECTORY -> Unit
            sabotage == Sabotage.PARENT_NOT_FORCED && directory == PARENT -> Unit
            sabotage == Sabotage.RETENTION_BEFORE_COMMIT -> forceCommittedLast(directory)
            else -> target.forceDirectory(directory)
        }

    /** A commit becomes durable only with the next change of the store's directory: when the older ones are gone. */
    private fun forceCommittedLast(directory: Path) {
        if (target.exists(directory.resolve("manifest.json"))) {
            postponed.add(directory)
        } else {
            target.forceDirectory(directory)
            if (directory == DIRECTORY) postponed.onEach(target::forceDirectory).clear()
        }
    }

    override fun delete(path: Path) {
        val isLastOfItsSave = path.name == SaveNames.NEW_MANIFEST && target.exists(path.parent)
        val manifest = path.resolveSibling(SaveNames.MANIFEST)
        if (sabotage == Sabotage.DATA_DELETED_BEFORE_MANIFEST && isLastOfItsSave && target.exists(manifest)) {
            target.delete(manifest)
        } else {
            target.delete(path)
        }
    }

    private class Unforced(file: BlockFile) : BlockFile by file {
        override fun force() = Unit
    }
}
