package dev.cairn.ranks

import dev.cairn.event.TransportMissingException
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class TransportChoiceSpec :
    FunSpec({
        val network = MemoryNetwork(1)
        val opened = network.transport(0)

        fun provider(name: String, obstacle: String? = null) =
            object : TransportProvider {
                override val name = name
                override val obstacle = obstacle

                override fun open(): Transport = opened
            }

        fun sentence(wanted: String?, vararg providers: TransportProvider) =
            TransportChoice.of(providers.toList(), wanted).sentence(opened).replace("($opened)", "(it)")

        fun refusal(wanted: String?, vararg providers: TransportProvider) =
            shouldThrow<TransportMissingException> { TransportChoice.of(providers.toList(), wanted) }.message

        test("the first that can be used is taken") {
            sentence(null, provider("a"), provider("b")) shouldBe
                "Messages between processes go through a (it): it is the first that can be used here."
        }

        test("one with an obstacle is passed over, and the log says why") {
            sentence(null, provider("a", "Java 22 is needed"), provider("b")) shouldBe
                "Messages between processes go through b (it): a is not usable, since Java 22 is needed."
        }

        test("one that is named is taken, even if others come first") {
            sentence("b", provider("a"), provider("b")) shouldBe
                "Messages between processes go through b (it): -Dcairn.transport names it."
        }

        test("one that is named is not replaced by another") {
            refusal("a", provider("a", "Java 22 is needed"), provider("b")) shouldBe
                "-Dcairn.transport=a cannot be used: Java 22 is needed."
            refusal("c", provider("a"), provider("b")) shouldBe
                "-Dcairn.transport=c: this program's class path has no such transport, but a and b."
        }

        test("if none can be used, all obstacles are told") {
            refusal(null, provider("a", "Java 22 is needed"), provider("b", "mpi.jar is missing")) shouldBe
                "There is no transport for messages to the other processes. a: Java 22 is needed. b: mpi.jar is missing."
            refusal(null) shouldBe
                "There is no transport for messages to the other processes. Put Cairn's mpi module on the class path."
        }
    })
