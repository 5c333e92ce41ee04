import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A TCP proxy before a real server, which from a chosen moment on swallows what one side sends, and keeps the
/// connections open.
final class SwallowingProxy: Sendable {
    /// What is thrown away instead of being passed on.
    enum Swallowed: Int, Sendable {
        case nothing, requests, answers
    }

    private struct State {
        var sockets: [Int32] = []
        var isClosed = false
    }

    /// The port at which it listens, on 127.0.0.1.
    let port: UInt16
    private let listener: Int32
    private let server: (host: String, port: UInt16)
    private let swallowed = Atomic<Int>(0)
    private let state = Mutex(State())

    struct Failure: Error {
        let step: String
        let number = errno
    }

    /// Listens before the server at an IPv4 address.
    init(host: String, port: UInt16) throws {
        server = (host, port)
        listener = socket(AF_INET, Self.stream, 0)
        guard listener >= 0 else { throw Failure(step: "socket") }
        var address = try Self.address("127.0.0.1", 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isListening else { throw Failure(step: "listen") }
        self.port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in accept() }
    }

    /// Swallows what that side sends from now on, on every connection.
    func swallow(_ side: Swallowed) { swallowed.store(side.rawValue, ordering: .sequentiallyConsistent) }

    /// Ends every connection, and accepts none any more.
    func close() {
        let sockets = state.withLock { state in
            state.isClosed = true
            return state.sockets
        }
        for socket in sockets + [listener] { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func accept() {
        while true {
            #if canImport(Darwin)
            let client = Darwin.accept(listener, nil, nil)
            #elseif canImport(Musl)
            let client = Musl.accept(listener, nil, nil)
            #else
            let client = Glibc.accept(listener, nil, nil)
            #endif
            guard client >= 0 else { return }
            let upstream = socket(AF_INET, Self.stream, 0)
            guard var address = try? Self.address(server.host, server.port) else { return }
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    connect(upstream, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            let isClosed = state.withLock { state in
                state.sockets += [client, upstream]
                return state.isClosed
            }
            guard isConnected, !isClosed else {
                shutdown(client, Int32(SHUT_RDWR))
                continue
            }
            Thread.detachNewThread { [self] in copy(from: client, to: upstream, side: .requests) }
            Thread.detachNewThread { [self] in copy(from: upstream, to: client, side: .answers) }
        }
    }

    private func copy(from source: Int32, to target: Int32, side: Swallowed) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            // An end counts as something that is sent.
            if swallowed.load(ordering: .sequentiallyConsistent) == side.rawValue {
                if count > 0 { continue } else { return }
            }
            guard count > 0 else { break }
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes { bytes in
                    send(target, bytes.baseAddress.map { $0 + sent }, count - sent, Self.noSignal)
                }
                guard more > 0 else { return }
                sent += more
            }
        }
        shutdown(target, Int32(SHUT_RDWR))
    }

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif
    #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    #else
    private static let noSignal = Int32(bitPattern: 0x4000)  // MSG_NOSIGNAL
    #endif

    private static func address(_ host: String, _ port: UInt16) throws -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw Failure(step: "inet_pton") }
        return address
    }
}
