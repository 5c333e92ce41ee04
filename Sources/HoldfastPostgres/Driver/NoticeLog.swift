internal import CPostgres
import Holdfast
internal import Logging

/// Where the server's notices go: to the log, at level `debug`, and never to standard error.
final class NoticeLog: Sendable {
    private let logger: Logger
    private let showsValues: Bool

    init(logger: Logger, showsValues: Bool) {
        self.logger = logger
        self.showsValues = showsValues
    }

    /// The pointer that libpq is to hand to ``receive``; valid as long as this object.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let receive: PQnoticeReceiver = { context, result in
        guard let context, let result else { return }
        Unmanaged<NoticeLog>.fromOpaque(context).takeUnretainedValue().log(result)
    }

    private func log(_ result: OpaquePointer) {
        guard logger.logLevel <= .debug else { return }
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        var metadata: Logger.Metadata = [:]
        metadata["db.response.status_code"] = field(HOLDFAST_DIAG_SQLSTATE).map { .string($0) }
        metadata["db.notice.severity"] = field(HOLDFAST_DIAG_SEVERITY).map { .string($0) }
        // The server's words quote data.
        if showsValues { metadata["db.notice.message"] = field(HOLDFAST_DIAG_MESSAGE).map { .string($0) } }
        logger.debug("PostgreSQL sent a notice", metadata: metadata)
    }
}
