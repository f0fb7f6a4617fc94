package dev.cairn.sion.cli

import dev.cairn.command.Shell
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.OutputStream
import java.io.PrintStream
import java.nio.file.Path
import java.util.Optional

/** What a run of the command left behind. */
class CommandRun(val exitCode: Int, private val out: ByteArrayOutputStream, private val err: ByteArrayOutputStream) {
    val bytes: ByteArray get() = out.toByteArray()
    val text: String get() = out.toString(Charsets.UTF_8)
    val complaint: String get() = err.toString(Charsets.UTF_8).trimEnd('\n')
}

/** Runs the command in this JVM. */
fun sion(vararg arguments: String, store: BlockStore = FileBlockStore()): CommandRun {
    val out = ByteArrayOutputStream()
    val err = ByteArrayOutputStream()
    val exitCode = sion(store, out, err, *arguments)
    return CommandRun(exitCode, out, err)
}

/** The same for output that is too large to keep. */
fun sion(store: BlockStore, out: OutputStream, err: OutputStream, vararg arguments: String): Int =
    SionCommand.run(Shell(store, out, PrintStream(err, true), Optional.empty()), *arguments)

/** The real store with a hook before each operation. */
class OnOperation(private val hook: (BlockStore.Operation) -> Unit) : ForwardingStore(FileBlockStore()) {
    override fun onOperation(operation: BlockStore.Operation) = hook(operation)
}

/** The real store as a process sees it that was started in [directory]. */
class StartedIn(private val directory: Path, private val store: BlockStore = FileBlockStore()) : BlockStore by store {
    override fun open(file: Path, access: Access): BlockFile = store.open(directory.resolve(file), access)

    override fun create(file: Path): BlockFile = store.create(directory.resolve(file))

    override fun exists(path: Path): Boolean = store.exists(directory.resolve(path))
}

/** A multifile of the C library that is always there, whatever folder the fixture specs look at. */
fun bundled(name: String): Path =
    Path.of(checkNotNull(CommandRun::class.java.getResource("/fixtures/sion/$name")).toURI())

/** Standard output that cannot be written. */
fun failing(words: String): OutputStream =
    object : OutputStream() {
        override fun write(oneByte: Int): Unit = throw IOException(words)

        override fun write(bytes: ByteArray, offset: Int, length: Int): Unit = throw IOException(words)
    }
