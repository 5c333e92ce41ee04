#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Starts a detached thread that runs `body`, for calls that block; false if the system refuses.
///
/// No signal handler of the process runs on it.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    // Not a variable: the type has its initializer from one of several modules, and which one depends on the others.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    // As large as that of a main thread: rows are decoded here, by code that is not ours.
    pthread_attr_setstacksize(attributes, 8 << 20)

    // A thread has the mask of the one that makes it.
    let masks = UnsafeMutablePointer<sigset_t>.allocate(capacity: 2)
    defer { masks.deallocate() }
    sigfillset(masks)
    pthread_sigmask(SIG_SETMASK, masks, masks + 1)
    defer { pthread_sigmask(SIG_SETMASK, masks + 1, nil) }

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
