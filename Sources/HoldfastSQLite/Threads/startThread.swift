#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
/// Starts a detached thread that runs `body`; false if the system refuses.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    // Not a variable: the type has its initializer from one of several modules, and which one depends on the others.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    // As large as that of a main thread: rows are decoded here, by code that is not ours.
    pthread_attr_setstacksize(attributes, 8 << 20)

    let start = Unmanaged.passRetained(ThreadStart(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(
        &thread,
        attributes,
        { context in
            Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
            return nil
        },
        start.toOpaque()
    )
    #else
    var thread: pthread_t = 0
    let status = pthread_create(
        &thread,
        attributes,
        { context in
            if let context { Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        },
        start.toOpaque()
    )
    #endif
    if status != 0 { start.release() }
    return status == 0
}

private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
