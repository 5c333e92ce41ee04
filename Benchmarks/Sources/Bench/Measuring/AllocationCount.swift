import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// How often memory was allocated, where the library that counts was loaded into this process.
enum AllocationCount {
    private static let function: (@convention(c) () -> UInt)? = {
        guard let symbol = dlsym(nil, "allocation_counter_value") else { return nil }
        return unsafeBitCast(symbol, to: (@convention(c) () -> UInt).self)
    }()

    static var current: UInt? { function?() }
}
