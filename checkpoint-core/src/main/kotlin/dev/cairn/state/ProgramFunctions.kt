package dev.cairn.state

/**
 * A function of the program that may throw any exception; the caller says what it gets, and on which thread. Functions without an
 * argument that return a value are a [java.util.concurrent.Callable].
 */
public fun interface ThrowingConsumer<in A> {
    @Throws(Exception::class)
    public fun accept(argument: A)
}

/** As [ThrowingConsumer], with two arguments. */
public fun interface ThrowingBiConsumer<in A, in B> {
    @Throws(Exception::class)
    public fun accept(first: A, second: B)
}

/** As [ThrowingConsumer], with a result. */
public fun interface ThrowingFunction<in A, out R> {
    @Throws(Exception::class)
    public fun apply(argument: A): R
}

/** As [ThrowingConsumer], with two arguments and a result. */
public fun interface ThrowingBiFunction<in A, in B, out R> {
    @Throws(Exception::class)
    public fun apply(first: A, second: B): R
}

/** As [ThrowingConsumer], without an argument. */
public fun interface ThrowingRunnable {
    @Throws(Exception::class)
    public fun run()
}
