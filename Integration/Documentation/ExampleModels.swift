// What the examples in the documentation's articles use without declaring it. Integration/readme builds them with it.

public import Holdfast

@Table
public final class Project {
    public var id: Int64?
    public var name: String
    public var budget = 0
    public var tags: [String] = []

    public init(name: String) { self.name = name }
}

@Table
public final class Account {
    public var id: Int64?
    @Unique public var owner: String
    public var balance: Int

    public init(owner: String, balance: Int) {
        self.owner = owner
        self.balance = balance
    }
}

@Table
public struct Customer {
    public var id: Int64?
    public var name: String
    public var city: String?
    public var visits: Int
}

@Table
public struct Point {
    @PrimaryKey public let name: String
    public var x: Double
    public var y: Double

    public init(name: String, x: Double, y: Double) {
        self.name = name
        self.x = x
        self.y = y
    }
}

@Table
public struct OrderLine {
    @PrimaryKey public let order: Int64
    @PrimaryKey public let line: Int64
    public var article: String
}
