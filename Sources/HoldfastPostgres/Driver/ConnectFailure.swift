internal import CPostgres
import Holdfast

/// The reason why one server can't be connected to, told so that people know what to change.
///
/// libpq's own words about names, sockets and TLS hold nothing that is stored, and are shown; those of the server are
/// not. Neither are shown where the address itself may be a piece of a password: see
/// ``PostgresOptions/hidesAddresses``.
struct ConnectFailure {
    private let address: ServerAddress
    private let isHidden: Bool

    init(_ address: ServerAddress, _ options: PostgresOptions) {
        self.address = options.hidesAddresses ? ServerAddress() : address
        isHidden = options.hidesAddresses
    }

    /// The server took too long.
    var late: DatabaseError {
        error("\(subject) did not answer within the connect timeout. Check host and port, or raise the timeout.")
    }

    /// Returns the error that libpq reports of `session`.
    ///
    /// - Parameters:
    ///   - usesTLS: Whether TLS was agreed on, at least once.
    ///   - showsValues: Whether the server's own words may be shown.
    func error(of session: OpaquePointer, usesTLS: Bool, showsValues: Bool) -> DatabaseError {
        let message = String(cString: PQerrorMessage(session))
        var error: DatabaseError
        if let state = SQLState.last(in: message) {
            let failure = SQLState(state, function: SQLState.lastFunction(in: message))
            error = self.error(
                sentence(of: failure, usesTLS: usesTLS),
                failure.code == .authenticationFailed ? .authenticationFailed : .cannotConnect)
            error.engineCode = state
        } else if PQconnectionNeedsPassword(session) == 1 {
            error = self.error("\(subject) asks for a password, but none was given.", .authenticationFailed)
        } else {
            error = self.error(sentence(ofLibrary: message))
        }
        if showsValues, !isHidden { error.shownEngineMessage = message }
        return error
    }

    /// One error for all servers of a list.
    static func of(_ failures: [DatabaseError]) -> DatabaseError {
        guard var error = failures.last, failures.count > 1 else {
            return failures.last ?? DatabaseError(.cannotConnect, "There is no server to connect to.")
        }
        var messages: [String] = []
        for failure in failures where !messages.contains(failure.message) { messages.append(failure.message) }
        if messages.count > 1 { messages.insert("No server of the list could be used.", at: 0) }
        error.message = messages.joined(separator: " ")
        let shown = failures.compactMap(\.shownEngineMessage)
        if !shown.isEmpty { error.shownEngineMessage = shown.joined(separator: "\n") }
        return error
    }
}

// MARK: Sentences

extension ConnectFailure {
    private var place: String { address.name }
    /// The place at the beginning of a sentence.
    private var subject: String { place.prefix(1).uppercased() + place.dropFirst() }

    private func error(_ sentence: String, _ code: DatabaseError.Code = .cannotConnect) -> DatabaseError {
        DatabaseError(code, isHidden ? "\(sentence) \(ConnectionString.doubt)" : sentence)
    }

    /// Returns a message about what the server refused.
    private func sentence(of failure: SQLState, usesTLS: Bool) -> String {
        switch (failure.state, failure.function) {
        case ("28000", "InitializeSessionUserId"):
            return "\(subject) has no role of that name, or one that may not log in."
        case ("28000", "ClientAuthentication"):
            let without = usesTLS || address.isSocket ? "" : " without TLS"
            let advice = without.isEmpty ? "Add one there." : "Set sslmode=require, or add an entry there."
            return "\(subject) lets no such user from here into that database\(without): "
                + "pg_hba.conf has no entry for it. \(advice)"
        case ("3D000", _): return "\(subject) has no database of that name."
        case ("42501", _): return "\(subject) does not let this user connect to that database: grant CONNECT."
        case ("53300", _):
            return
                "\(subject) has no connection left (max_connections, or the limit of the role or the database). Lower "
                + "the pools' sizes, or raise the limit."
        case ("55000", _): return "\(subject) takes no connections to that database, which is a template or closed."
        case ("57P03", _): return "\(subject) is starting up, shutting down or recovering. Try again."
        case ("22023", _), ("42704", _):
            return "\(subject) refused a setting that the connection string asks for. Check its options."
        case ("08P01", _):
            return "\(subject) refused the way in which the connection began. "
                + "If it is a pooler, check the database's name there and which parameters it takes."
        case _ where failure.code == .authenticationFailed: return "\(subject) refused the user or the password."
        default: return "\(subject) refused the connection. Its code is \(failure.state)."
        }
    }

    /// Returns a message about a failure that libpq found out by itself.
    private func sentence(ofLibrary message: String) -> String {
        let words = isHidden ? "" : " (\(Self.reasons(in: message)))"
        func says(_ parts: String...) -> Bool { parts.contains { message.contains($0) } }
        return switch true {
        case says("could not translate host name"):
            "The name of \(place) is not known\(words). Check the host in the connection string."
        case says("root certificate file"):
            "The authorities that may have signed the certificate of \(place) can't be read\(words). "
                + "Let sslrootcert name their file."
        case says("certificate verify failed"):
            "The certificate of \(place) is not to be trusted\(words): it is expired, or signed by none of the "
                + "authorities in sslrootcert."
        case says("does not match host name"):
            "The certificate of \(place) is for another name\(words). Connect by a name that it has."
        case says("server does not support SSL"):
            "\(subject) has no TLS, but sslmode requires it\(words)."
        case says("No such file or directory") && address.isSocket:
            "There is nothing at \(place)\(words). Check the directory, and whether the server runs."
        case says("Connection refused"):
            "Nothing listens at \(place)\(words). Check host and port, and whether the server runs."
        case says("No route to host", "Network is unreachable", "Host is down", "Host is unreachable"):
            "There is no way through the network to \(place)\(words). Check the host's address, and firewalls."
        case says("timeout expired", "Connection timed out"):
            "\(subject) did not answer in time\(words). Check host and port, and firewalls."
        case says("invalid response to SSL negotiation", "expected authentication request"):
            "\(subject) does not answer as PostgreSQL does. Check the port."
        case says("closed the connection", "Connection reset", "EOF detected"):
            "\(subject) ended the connection before it was open\(words). Its log may tell why."
        case says("read-only", "read-write", "hot standby"):
            "\(subject) is not of the kind that target_session_attrs asks for\(words)."
        case says("SSL", "certificate", "private key"):
            "TLS with \(place) could not be set up\(words). Check the parameters that begin with ssl."
        default: "A connection to \(place) could not be opened\(words)."
        }
    }

    /// The reasons in a message of libpq, which has a section for each address of the host.
    private static func reasons(in message: String) -> String {
        var reasons: [Substring] = []
        for line in message.split(separator: "\n") where !line.hasPrefix("\t") {
            var reason = line.firstRange(of: " failed: ").map { line[$0.upperBound...] } ?? line
            if reason.hasPrefix("could not translate"), let end = reason.ranges(of: ": ").last {
                reason = reason[end.upperBound...]
            }
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.joined(separator: "; ")
    }
}
