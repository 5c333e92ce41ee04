// swift-format-ignore-file
import Foundation
import Holdfast

@Table struct Made { var id: Int64? }
@Table struct Given { let id: UUID }
@Table struct Composite {
    @PrimaryKey let a: Int32
    @PrimaryKey let b: String
}

@Table struct Keyless { var name: String }  // expected-error: 'Keyless' has no primary key

@Table struct Computed { var id: Int64? { nil } }  // expected-error: 'Computed' has no primary key

@Table struct Shared { static let id: Int64? = nil }  // expected-error: 'Shared' has no primary key

@Table struct Unkept {  // expected-error: 'Unkept' has no primary key
    @Transient var id: Int64?
}

@Table struct ConstantKey { let id: Int64? }  // expected-error: the engine gives 'id' its value when the object is saved: make it a 'var'

@Table struct HalfMade {
    @PrimaryKey let a: Int64
    @PrimaryKey var b: Int64?  // expected-error: the engine makes no part of a key of several properties: declare 'b' as 'Int64'
}

// What only the type checker knows is an error in the expansion of the attribute.

@Table struct RealKey { let id: Double }  // expected-error: A primary key is an Int64? that the engine makes, or a whole number, String, UUID or other KeyValue of the caller's.

@Table struct SmallKey { var id: Int? }  // expected-error: nobody makes the key 'id': declare it as 'Int', or say that the database makes it, by '@PrimaryKey(.database)'

@Table struct NoKey { @PrimaryKey var id: UUID? }  // expected-error: nobody makes the key 'id': declare it as 'UUID', with the value '= UUID()', or say that the database makes it, by '@PrimaryKey(.database)'
