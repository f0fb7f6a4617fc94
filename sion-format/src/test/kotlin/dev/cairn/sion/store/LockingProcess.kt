package dev.cairn.sion.store

import java.io.File
import java.nio.file.Path

/**
 * Another process that tries to lock [file]. It keeps the lock until it is closed or killed, without
 * doing anything else.
 */
class LockingProcess(
    file: Path,
) : AutoCloseable {
    private val process =
        ProcessBuilder(javaCommand, "-cp", classPath, "dev.cairn.sion.store.LockingProcessKt", file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()

    /** Whether it got the lock. */
    val hasLock: Boolean = process.inputStream.bufferedReader().readLine() == LOCKED

    /** As `kill -9` does. */
    fun kill() {
        process.destroyForcibly().waitFor()
    }

    override fun close() {
        process.outputStream.close()
        process.waitFor()
    }
}

private const val LOCKED = "locked"

private val javaCommand = Path.of(System.getProperty("java.home"), "bin", "java").toString()

private val classPath =
    listOf(BlockStore::class, LockingProcess::class, Unit::class)
        .joinToString(File.pathSeparator) {
            Path
                .of(
                    it.java.protectionDomain.codeSource.location
                        .toURI(),
                ).toString()
        }

/** Opens the file, tries to lock it, says so, and waits for the end of its input. */
fun main(arguments: Array<String>) {
    FileBlockStore().open(Path.of(arguments.single()), Access.READ_WRITE).use { file ->
        println(if (file.tryLock()) LOCKED else "refused")
        System.`in`.read()
    }
}
