package dev.cairn.report

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import dev.cairn.event.sentence
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress

/**
 * Serves a page, made for each request, to browsers of this machine only: it is bound to the loopback address, and refuses requests under
 * the name of any other host, to which a foreign page might have redirected.
 *
 * @param port 0 for any that is free
 */
internal class ReportServer(port: Int, private val page: () -> String) : AutoCloseable {
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getByName(LOOPBACK), port), 0)

    val address: String get() = "http://$LOOPBACK:${server.address.port}/"

    init {
        server.createContext("/") { exchange -> exchange.use(::answer) }
        server.start()
    }

    private fun answer(exchange: HttpExchange) {
        val name = exchange.requestHeaders.getFirst("Host").orEmpty()
        val host = name.substringBeforeLast(':')
        val isPage = exchange.requestMethod == "GET" && exchange.requestURI.path == "/"
        when {
            host != LOOPBACK && host != "localhost" -> exchange.send(FORBIDDEN, "This page is for $address only.")
            !isPage -> exchange.send(MISSING, "The page is $address.")
            else -> exchange.sendPage()
        }
    }

    private fun HttpExchange.sendPage() =
        try {
            send(OK, page(), "text/html")
        } catch (failure: IOException) {
            send(FAILED, failure.sentence())
        }

    private fun HttpExchange.send(code: Int, text: String, type: String = "text/plain") {
        val bytes = text.encodeToByteArray()
        responseHeaders.set("Content-Type", "$type; charset=utf-8")
        sendResponseHeaders(code, bytes.size.toLong())
        responseBody.write(bytes)
    }

    private fun HttpExchange.use(answer: (HttpExchange) -> Unit) = AutoCloseable { close() }.use { answer(this) }

    override fun close() = server.stop(0)
}

private const val LOOPBACK = "127.0.0.1"
private const val OK = 200
private const val FORBIDDEN = 403
private const val MISSING = 404
private const val FAILED = 500
