package dev.cairn.heap

import java.io.InputStream

/**
 * Which classes are the program's: those that lie where its main class lies, or in its package or one below.
 *
 * @property loader finds the class files of the program, of which none is initialized; null if they are not at hand, so that slots of
 * suspended functions and local variables have no names
 */
internal class ProgramClasses(val mainClass: String, val loader: ClassLoader?) {
    private val ownPackage = mainClass.substringBeforeLast('.', "")

    fun of(dump: HeapDump): Set<HeapClass> {
        val main =
            requireNotNull(dump.classes.find { it.name == mainClass }) {
                "there is no class $mainClass in the dump: name the main class of the program"
            }
        return dump.classes.filterTo(HashSet()) { isInPackage(it.name) || (liesWith(main, it) && !isLibrary(it.name)) }
    }

    private fun liesWith(main: HeapClass, type: HeapClass) = main.domain != 0L && type.domain == main.domain

    private fun isInPackage(name: String) = ownPackage.isNotEmpty() && name.startsWith("$ownPackage.")

    companion object {
        private val LIBRARIES =
            listOf("kotlin.", "kotlinx.", "java.", "javax.", "jdk.", "sun.", "com.sun.", "org.slf4j.", "ch.qos.")

        /** One jar may hold the program and its libraries. */
        fun isLibrary(name: String): Boolean = LIBRARIES.any(name::startsWith) || isCairn(name)

        fun isCairn(name: String): Boolean = name.startsWith("dev.cairn.") && !name.startsWith("dev.cairn.examples.")
    }
}

/** The class files of a program, of which nothing is run. Without a [loader] none is found. */
internal class ClassFiles(private val loader: ClassLoader?) {
    fun open(className: String): InputStream? = loader?.getResourceAsStream("${className.replace('.', '/')}.class")

    /** Null if it is not there, or refers to a class that is not: then something has no name. */
    fun find(className: String): Class<*>? =
        try {
            loader?.let { Class.forName(className, false, it) }
        } catch (_: ClassNotFoundException) {
            null
        } catch (_: LinkageError) {
            null
        }
}
