import Synchronization

/// An object that higher floors keep while a database is open, such as whoever deletes what has expired.
protocol DatabaseService: AnyObject, Sendable {
    init()

    /// Ends what it does in the background, for good.
    func close() async
}

/// The services of an open database, one of each type, made when it is first asked for.
final class DatabaseServices: Sendable {
    private let services = Mutex<[ObjectIdentifier: any DatabaseService]>([:])

    /// The service of a type.
    func service<Service: DatabaseService>(_ type: Service.Type) -> Service {
        services.withLock { services in
            if let service = services[ObjectIdentifier(type)] as? Service { return service }
            let service = Service()
            services[ObjectIdentifier(type)] = service
            return service
        }
    }

    func close() async {
        for service in services.withLock({ Array($0.values) }) { await service.close() }
    }
}
