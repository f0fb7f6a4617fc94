package dev.cairn.house

/**
 * The tag of specs that another JDK may fail: digests and code that it vectorises, the store's contract, codecs, golden files,
 * foreign functions, reflection and signals. `-Dsecond-jdk.phase=verify` runs them on JDK 25, and no other spec.
 */
const val JDK_DEPENDENT = "JdkDependent"
