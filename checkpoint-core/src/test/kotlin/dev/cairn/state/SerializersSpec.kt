package dev.cairn.state

import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.proof.log.quietly
import dev.cairn.runSimulation
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Values of classes that have no serializer, because of their source or because of how they were compiled. */
@Tags(JDK_DEPENDENT)
class SerializersSpec :
    FunSpec({
        quietly()

        test("a class without a serializer is refused in a sentence that says how it gets one") {
            shouldThrow<CheckpointException.InvalidDeclaration> { codecOf<Plain>() }.message shouldBe
                "Serializer for class 'Plain' is not found: make the class a record; or annotate it with " +
                "@Serializable, and apply the compiler plugin kotlinx-serialization in the build of the program, " +
                "without which the annotation has no effect; or pass a codec of your own."
            shouldThrow<CheckpointException.InvalidDeclaration> { codecOf<List<Plain>>() }
        }

        test("the program ends with 64, and not as one that has failed") {
            runSimulation("plain", arrayOf("--dir", "plain.cairn"), SimulatedDisk().host("node0")) {
                val plain by replicated(Plain(1))
                for (step in steps(until = 2)) check(plain.value == 1)
            } shouldBe ExitCode.REFUSED
        }
    })

private class Plain(val value: Int)
