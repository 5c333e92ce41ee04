# Writes fifty models of twelve properties, a file each, into the folder -v folder=…: as tables of Holdfast, as records of
# GRDB, or as plain classes, which nothing keeps (-v kind=Tables, Records or Classes).

BEGIN {
    for (number = 1; number <= 50; number++) {
        file = folder "/Model" number ".swift"
        print "import Foundation" > file
        if (kind == "Tables") print "import Holdfast\n\n@Table" > file
        if (kind == "Records") print "import GRDB\n" > file
        print kind == "Records" ? "struct Model" number ": Codable, FetchableRecord, MutablePersistableRecord {" : \
            "final class Model" number " {" > file
        print "    var id: Int64?\n    var name: String\n    var code: String?\n    var count: Int\n    var amount = 0.0" > file
        print "    var isOpen: Bool\n    var startDate: Date?\n    var token: UUID\n    var price: Decimal = 0" > file
        print "    var tags: [String] = []\n    var note = \"\"" > file
        print kind == "Records" ? "    var nextId: Int64?" : "    var next: Model" number % 50 + 1 "?" > file
        print "\n    init(name: String, count: Int, isOpen: Bool, token: UUID) {" > file
        print "        self.name = name\n        self.count = count\n        self.isOpen = isOpen\n        self.token = token" > file
        print "    }\n}" > file
        close(file)
    }
}
