import Foundation

/// A TCP socket on 127.0.0.1 that blocks.
struct Socket: Sendable {
    enum Failure: Error { case noPort }

    private let descriptor: Int32

    /// Listens on a free port.
    static func listen() throws -> Socket {
        let descriptor = socket(AF_INET, Self.stream, 0)
        var address = Self.address(port: 0)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard isBound == 0, Foundation.listen(descriptor, 128) == 0 else {
            throw Failure.noPort
        }
        return Socket(descriptor: descriptor)
    }

    /// Connects to a port.
    static func connect(port: UInt16) -> Socket? {
        let descriptor = socket(AF_INET, Self.stream, 0)
        var address = Self.address(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let result = Socket(descriptor: descriptor)
        guard status == 0 else {
            result.close()
            return nil
        }
        result.sendAtOnce()
        return result
    }

    /// The port that is listened on.
    var port: UInt16 {
        get throws {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            guard status == 0 else { throw Failure.noPort }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// Waits for the next client; nil once the socket can't be used.
    func accept() -> Socket? {
        let client = Foundation.accept(descriptor, nil, nil)
        guard client >= 0 else { return nil }
        let result = Socket(descriptor: client)
        result.sendAtOnce()
        return result
    }

    /// Reads what is there.
    ///
    /// - Returns: Nothing where nothing came in time; nil at the end.
    func read(waiting time: Duration) -> [UInt8]? {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&poller, 1, Int32(time / .milliseconds(1)))
        if ready == 0 { return [] }
        guard ready > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// Writes all bytes.
    ///
    /// - Returns: Whether they were taken.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    func close() { _ = Foundation.close(descriptor) }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    private func sendAtOnce() {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    #if canImport(Glibc) || canImport(Musl)
    private static var stream: Int32 { Int32(SOCK_STREAM.rawValue) }
    #else
    private static var stream: Int32 { SOCK_STREAM }
    #endif
}
