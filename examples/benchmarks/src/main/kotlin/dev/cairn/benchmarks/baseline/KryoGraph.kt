package dev.cairn.benchmarks.baseline

import com.esotericsoftware.kryo.Kryo
import com.esotericsoftware.kryo.io.Input
import com.esotericsoftware.kryo.io.Output
import dev.cairn.benchmarks.payload.Agent
import java.nio.file.Path
import kotlin.io.path.inputStream
import kotlin.io.path.outputStream

/** With references, of registered classes alone. */
internal class KryoGraph : GraphFile {
    private val kryo =
        Kryo().apply {
            references = true
            listOf(Agent::class.java, Array<Agent>::class.java).forEach { register(it) }
        }

    override fun write(file: Path, agents: Array<Agent>) =
        Output(file.outputStream(), 1 shl 16).use { kryo.writeObject(it, agents) }

    override fun read(file: Path): Array<Agent> =
        Input(file.inputStream(), 1 shl 16).use { kryo.readObject(it, Array<Agent>::class.java) }
}
