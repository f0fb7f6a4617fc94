package dev.cairn.mpi

import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import java.lang.reflect.Executable
import java.lang.reflect.Field
import java.lang.reflect.Member
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.net.URLClassLoader
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.nameWithoutExtension

/** Code that is compiled against the stub is linked to mpi.jar: whatever the stub has must be there. */
class StubSpec :
    FunSpec({
        val jar = MpiRun.home.resolve("lib/mpi.jar")

        test("each member of the stub is in mpi.jar, in the same class or one above it")
            .config(enabledOrReasonIf = needs { Need.BINDINGS.given(MpiWay.BINDINGS.isThere) }) {
                val real = loader(jar)
                stubs().shouldNotBeEmpty()
                stubs().flatMap { stub -> membersOf(stub) - membersOf(real.loadClass(stub.name)) }.shouldBeEmpty()
                stubs().forEach { stub -> real.loadClass(stub.name).superclass.name shouldBe stub.superclass.name }
            }

        test("no constant of the stub has a value that javac would copy") {
            val constants = stubs().flatMap { it.fields.asList() }
            constants.shouldNotBeEmpty()
            constants.filter { Modifier.isFinal(it.modifiers) }.shouldBeEmpty()
        }

        test("specs and their processes have no class of the stub") {
            runCatching { Class.forName("mpi.MPI") }.isSuccess shouldBe false
        }
    })

private val STUB: Path = Path.of("stub", "target", "classes")

private fun loader(place: Path) = URLClassLoader(arrayOf(place.toUri().toURL()), null)

private fun stubs(): List<Class<*>> =
    STUB
        .resolve("mpi")
        .listDirectoryEntries("*.class")
        .filter { it.nameWithoutExtension != "package-info" }
        .map { loader(STUB).loadClass("mpi.${it.nameWithoutExtension}") }

private fun membersOf(type: Class<*>): Set<String> =
    (type.fields.asList<Member>() + type.methods.asList())
        .filter { it.declaringClass.name.startsWith("mpi.") }
        .map(::linked)
        .toSet()

/** What the class file of a caller says of a member. */
private fun linked(member: Member): String {
    val static = if (Modifier.isStatic(member.modifiers)) "static " else ""
    return when (member) {
        is Field -> "$static${member.type.name} ${member.name}"
        is Method -> "$static${member.returnType.name} ${member.name}(${parametersOf(member)})"
        else -> error("no member of a type: $member")
    }
}

private fun parametersOf(member: Executable): String = member.parameterTypes.joinToString { it.name }
