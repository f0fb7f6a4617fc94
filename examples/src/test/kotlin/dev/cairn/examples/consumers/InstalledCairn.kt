package dev.cairn.examples.consumers

import dev.cairn.house.finishedJar
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/**
 * A local Maven repository with the artifacts of this build in it, as `mvn install` would put them there. All else in it
 * are links into the user's own one, so that nothing is fetched twice, and nothing of Cairn comes there.
 */
internal class InstalledCairn : AutoCloseable {
    val repository: Path = Files.createTempDirectory(finishedJar.parent, "repository")

    init {
        link(USERS_REPOSITORY, repository, except = "dev")
        link(USERS_REPOSITORY.resolve("dev"), repository.resolve("dev").createDirectory(), except = "cairn")
        install("cairn-bom", HOUSE.resolve("checkpoint-core/bom/pom.xml"))
        install("cairn-parent", HOUSE.resolve("pom.xml"))
        val folders = mapOf("cairn-sion" to "sion-format", "cairn-core" to "checkpoint-core", "cairn-mpi" to "mpi")
        for ((artifact, folder) in folders) {
            install(artifact, HOUSE.resolve("$folder/pom.xml"))
            install(artifact, HOUSE.resolve("$folder/target/$artifact-$VERSION.jar"))
        }
    }

    private fun install(artifact: String, file: Path) {
        val folder = repository.resolve("dev/cairn/$artifact/$VERSION").createDirectories()
        val ending = file.name.substringAfterLast('.').replace("xml", "pom")
        file.copyTo(folder.resolve("$artifact-$VERSION.$ending"))
    }

    /** Removes the links, and not what they point to. */
    override fun close() = Files.walk(repository).use { it.sorted(reverseOrder()).forEach(Files::delete) }

    private companion object {
        val HOUSE: Path = Path.of("..")
        val VERSION = finishedJar.name.removePrefix("examples-").removeSuffix(".jar")

        /** Surefire tells it. */
        val USERS_REPOSITORY: Path = Path.of(System.getProperty("localRepository"))
    }
}

private fun link(from: Path, to: Path, except: String) {
    if (!from.exists()) return
    val entries = from.listDirectoryEntries().filter { it.name != except }
    entries.forEach { to.resolve(it.name).createSymbolicLinkPointingTo(it) }
}
