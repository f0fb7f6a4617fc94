package dev.cairn.house

import java.lang.reflect.Constructor
import java.lang.reflect.Executable
import java.lang.reflect.Field
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.streams.asSequence

/** All that a user of a module can name, as text: each public type of an exported package, with its members. */
fun publicFace(classes: Path, loader: ClassLoader = OWN_LOADER): String =
    visibleTypes(classes, loader)
        .groupBy { it.packageName }
        .toSortedMap()
        .map { (name, types) ->
            "package $name\n\n" +
                types.sortedBy { it.name }.joinToString("\n", transform = ::describe)
        }.joinToString("\n")

/** Of the class path of the specs. */
internal val OWN_LOADER: ClassLoader = KotlinFace::class.java.classLoader

/** The types that users can name. */
internal fun visibleTypes(classes: Path, loader: ClassLoader): List<Class<*>> {
    val exported = exportedPackages(classes)
    return classFiles(classes)
        .map { loader.loadClass(nameOf(classes.relativize(it))) }
        .filter { it.packageName in exported && isVisible(it) }
}

private fun nameOf(classFile: Path): String = "$classFile".removeSuffix(".class").replace('/', '.')

/**
 * The data classes among [types]. To users each promises for ever to be taken apart and copied by position, so that a field can
 * never be added to it; see docs/decisions/0008-house-rules.md.
 */
internal fun dataClassesOf(types: List<Class<*>>): List<String> =
    types.filter { KotlinFace.of(it).isData }.map { it.name }.sorted()

/** What is exported to a sister module alone is no user's. A module without a descriptor exports everything. */
private fun exportedPackages(classes: Path): Set<String> =
    if (classes.resolve("module-info.class").exists()) {
        compiledModule()
            .exports()
            .filterNot { it.isQualified }
            .map { it.source() }
            .toSet()
    } else {
        classFiles(classes).map { classes.relativize(it.parent).toString().replace('/', '.') }.toSet()
    }

/** Without those for later versions of Java, which replace classes of the same names. */
private fun classFiles(classes: Path): List<Path> =
    Files.walk(classes).use { paths ->
        paths
            .asSequence()
            .filter { it.extension == "class" && !it.fileName.toString().endsWith("-info.class") }
            .filterNot { classes.relativize(it).startsWith("META-INF") }
            .toList()
    }

internal fun isVisible(type: Class<*>): Boolean {
    val kotlin = KotlinFace.of(type)
    return isVisible(type.modifiers) &&
        (!type.isSynthetic || kotlin.isFile) &&
        !kotlin.isInternal &&
        (type.declaringClass?.let(::isVisible) ?: true)
}

private fun isVisible(modifiers: Int) = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers)

/** What Java callers see, and after it what Kotlin callers see of a Kotlin class. A file that Java cannot call is no type. */
internal fun describe(type: Class<*>): String {
    val kotlin = KotlinFace.of(type)
    val forJava = if (type.isSynthetic) emptyList() else linesForJava(type, kotlin)
    val lines = forJava.sorted() + kotlin.declarations.sorted().map { "kotlin: $it" }
    val heading = if (kotlin.isFile && forJava.isEmpty()) "functions of ${type.simpleName}" else heading(type)
    return heading + "\n" + lines.joinToString("") { "  $it\n" }
}

private fun linesForJava(type: Class<*>, kotlin: KotlinFace): List<String> =
    type.declaredFields
        .filter { isVisible(it.modifiers) && !it.isSynthetic && it.name !in kotlin.hiddenFields }
        .map(::line) +
        executables(type).filter { signature(it) !in kotlin.hiddenMembers && !isForKotlinOnly(it) }.map(::line)

/** Java has no continuations to pass, so a suspending function is for Kotlin only. */
private fun isForKotlinOnly(executable: Executable): Boolean =
    executable.parameterTypes.lastOrNull()?.name == "kotlin.coroutines.Continuation"

private fun executables(type: Class<*>): List<Executable> =
    (type.declaredConstructors.asList<Executable>() + type.declaredMethods)
        .filter { isVisible(it.modifiers) && !it.isSynthetic }

private fun heading(type: Class<*>): String {
    val parents = listOfNotNull(type.genericSuperclass?.takeIf { it != Any::class.java }) + type.genericInterfaces
    val extends = if (parents.isEmpty()) "" else " : " + parents.joinToString { short(it.typeName) }
    val permits = type.permittedSubclasses?.joinToString(prefix = " permits ") { short(it.typeName) }.orEmpty()
    // That a type is sealed shows in what it permits; only some JDKs say the words here too.
    return short(type.toGenericString()).replace("non-sealed ", "").replace("sealed ", "") + extends + permits
}

private fun line(field: Field): String = short(field.toGenericString(), field.declaringClass)

private fun line(executable: Executable): String = short(executable.toGenericString(), executable.declaringClass)

/** What the class file calls a member: its name and descriptor. */
private fun signature(executable: Executable): String =
    when (executable) {
        is Constructor<*> -> {
            "<init>(${executable.parameterTypes.joinToString("") { it.descriptorString() }})V"
        }

        is Method -> {
            val parameters = executable.parameterTypes.joinToString("") { it.descriptorString() }
            "${executable.name}($parameters)${executable.returnType.descriptorString()}"
        }
    }

/** Drops the packages, and in front of a member the class that it stands in. */
private fun short(declaration: String, owner: Class<*>? = null): String {
    val withoutOwner = if (owner == null) declaration else declaration.replace(" ${owner.typeName}.", " ")
    return withoutOwner.replace(Regex("""\b(?:[a-z][a-z0-9_]*\.)+(?=[A-Z])"""), "")
}
