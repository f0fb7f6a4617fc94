package dev.cairn.benchmarks.baseline

import com.esotericsoftware.kryo.Kryo
import com.esotericsoftware.kryo.io.Input
import java.nio.file.Path
import kotlin.io.path.inputStream

/** Each list from a file of its own, object by object. */
internal fun readKryoParticles(files: List<Path>): List<List<ParticleRecord>> =
    files.parallelStream().map(::readParticles).toList()

private fun readParticles(file: Path): List<ParticleRecord> {
    val kryo = Kryo().apply { register(ParticleRecord::class.java) }
    return Input(file.inputStream(), 1 shl 16).use { input ->
        List(input.readInt()) { kryo.readObject(input, ParticleRecord::class.java) }
    }
}
