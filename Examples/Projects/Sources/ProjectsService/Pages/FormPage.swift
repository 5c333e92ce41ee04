import Foundation

/// The page of an object: its form, and links to what belongs to it.
struct FormPage<Model: PageObject> {
    let object: Model
    /// Everybody, for fields that choose people.
    let people: [Person]
    /// What is wrong with the object, by the names of the fields.
    var problems: [String: String] = [:]
    /// The fields as somebody else has saved them meanwhile.
    var theirs: [FormField] = []
    /// Whether somebody else has.
    var isConflict = false
    /// What the address of the form of a new object says.
    var address: FormInput?

    /// - Parameter object: The object, as it is or as somebody wants it to be.
    init(_ object: Model, people: [Person]) {
        self.object = object
        self.people = people
    }

    var title: String { path == nil ? "New \(Model.noun)" : object.title }

    /// The address of the object; nil if it has not been saved.
    private var path: String? { object.id.map { "/\(Model.path)/\($0)" } }
    private var list: String { "/\(Model.path)" }
    private var action: String { path ?? list }
    /// Whether the form holds what has been sent and not saved.
    private var isUnsaved: Bool { isConflict || !problems.isEmpty }

    var content: HTML {
        """
        <p class="trail">\(listLink)</p>
        <h1>\(title)</h1>
        \(conflict, if: isConflict)
        \(problem, if: !problems.isEmpty)
        <div id="changed" class="notice" role="status" hidden>
        <p><strong>Somebody else has changed this \(Model.noun).</strong> You have not saved what you wrote.
        <a href="\(action)">Show theirs</a></p>
        </div>
        <div id="gone" class="notice problem" role="status" hidden>
        <p><strong>Somebody else has deleted this \(Model.noun).</strong> \(listLink)</p>
        </div>
        \(form)
        \(object.related.isEmpty ? nil : related)
        \(path.map(more))
        """
    }

    private var listLink: HTML {
        """
        <a href="\(list)">\(Model.path.capitalized)</a>
        """
    }

    private var conflict: HTML {
        """
        <div class="notice conflict" role="alert">
        <p><strong>Somebody else has changed this \(Model.noun) since you opened it.</strong>
        Below is what you have sent, and where it differs, what is saved now. Save again to replace that.</p>
        <p><a href="\(action)">Discard mine</a></p>
        </div>
        """
    }

    private var problem: HTML {
        """
        <div class="notice problem" role="alert"><p>This can’t be saved yet. Look at what is marked below.</p></div>
        """
    }

    private var form: HTML {
        let live = path.map { path -> HTML in " data-live=\"\(path)/live\"" }
        let fields = object.fields(people: people).map { field in
            let other = theirs.first { $0.name == field.name && $0.shownValue != field.shownValue }
            return field.html(problem: problems[field.name], theirs: other?.shownValue)
        }
        return """
            <form class="sheet" method="post" action="\(action)"\(live)\(" data-dirty", if: isUnsaved)>
            \(version)
            \(project)
            \(fields)<div class="actions">
            <button class="button primary">\(path == nil ? "Create" : "Save")</button>
            <a class="button" href="\(list)">Cancel</a>
            </div>
            </form>
            """
    }

    private var version: HTML {
        """
        <input type="hidden" name="version" value="\(object.version)">
        """
    }

    /// The project of a new meeting, which is not among its fields.
    private var project: HTML? {
        guard let project = address?.text("project"), !project.isEmpty else { return nil }
        return """
            <input type="hidden" name="project" value="\(project)">
            """
    }

    private var related: HTML {
        let links = object.related.map { link -> HTML in
            """
            <li><a href="\(link.path)">\(link.text)</a> <span class="quiet">\(link.detail)</span></li>

            """
        }
        return """
            <section class="related">
            <h2>Related</h2>
            <ul>
            \(links)</ul>
            </section>
            """
    }

    /// What can be done with a saved object.
    private func more(path: String) -> HTML {
        let newMeeting = object.newMeetingPath.map { path -> HTML in
            """
            <a class="button" href="\(path)">New meeting</a>
            """
        }
        return """
            <div class="more">
            \(newMeeting)
            <form method="post" action="\(path)/delete">
            \(version)
            <button class="button danger">Delete</button>
            </form>
            </div>
            """
    }
}
