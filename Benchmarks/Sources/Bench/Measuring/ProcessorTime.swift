import Foundation

/// How long this process has kept processors busy: all its threads, in programs and in the kernel.
enum ProcessorTime {
    static var seconds: Double {
        var time = timespec()
        // Every system that this runs on has this clock.
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
