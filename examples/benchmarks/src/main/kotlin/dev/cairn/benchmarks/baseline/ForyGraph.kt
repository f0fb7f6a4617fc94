package dev.cairn.benchmarks.baseline

import org.apache.fory.Fory
import org.apache.fory.config.Language
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/** With references, of the registered class of [objects] alone. */
internal class ForyGraph(objects: Array<*>) : GraphFile {
    private val fory =
        Fory
            .builder()
            .withLanguage(Language.JAVA)
            .withRefTracking(true)
            .requireClassRegistration(true)
            .build()
            .apply { listOf(objects.javaClass.componentType, objects.javaClass).forEach { register(it) } }

    override fun write(file: Path, objects: Array<*>) = file.writeBytes(fory.serialize(objects))

    override fun read(file: Path) = fory.deserialize(file.readBytes()) as Array<*>
}
