import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct HoldfastPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        TableMacro.self,
        JSONObjectMacro.self,
        TrackedMacro.self,
        PrimaryKeyMacro.self,
        ColumnMacro.self,
        TransientMacro.self,
        IndexedMacro.self,
        UniqueMacro.self,
        RequiredMacro.self,
        TimestampMacro.self,
        RelationMacro.self,
        VersionMacro.self,
        OmitIfMissingMacro.self,
        ExpiresMacro.self,
    ]
}
