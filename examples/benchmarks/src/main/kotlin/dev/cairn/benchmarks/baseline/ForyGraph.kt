package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Agent
import org.apache.fory.Fory
import org.apache.fory.config.Language
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/** With references, of registered classes alone. */
internal class ForyGraph : GraphFile {
    private val fory =
        Fory
            .builder()
            .withLanguage(Language.JAVA)
            .withRefTracking(true)
            .requireClassRegistration(true)
            .build()
            .apply { listOf(Agent::class.java, Array<Agent>::class.java).forEach { register(it) } }

    override fun write(file: Path, agents: Array<Agent>) = file.writeBytes(fory.serialize(agents))

    @Suppress("UNCHECKED_CAST") // What was written.
    override fun read(file: Path) = fory.deserialize(file.readBytes()) as Array<Agent>
}
