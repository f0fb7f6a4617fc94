package dev.cairn.examples.forgotten

/** Loads the classes of this package once more, so that static variables have their first values, as in a new process. */
internal class FreshClasses : ClassLoader(FreshClasses::class.java.classLoader) {
    override fun loadClass(name: String, resolve: Boolean): Class<*> =
        synchronized(getClassLoadingLock(name)) {
            findLoadedClass(name) ?: if (name.startsWith(PREFIX)) define(name) else super.loadClass(name, resolve)
        }

    private fun define(name: String): Class<*> {
        val file = name.replace('.', '/') + ".class"
        val bytes = parent.getResourceAsStream(file)?.use { it.readBytes() } ?: throw ClassNotFoundException(name)
        return defineClass(name, bytes, 0, bytes.size)
    }

    companion object {
        const val PACKAGE = "dev.cairn.examples.forgotten"
        private const val PREFIX = "$PACKAGE."
    }
}
