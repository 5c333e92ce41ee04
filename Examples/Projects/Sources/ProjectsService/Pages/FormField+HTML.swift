extension FormField {
    /// The field with its label.
    ///
    /// - Parameters:
    ///   - problem: What is wrong with what was sent.
    ///   - theirs: What somebody else has saved meanwhile, if it differs.
    func html(problem: String?, theirs: String?) -> HTML {
        let problemText = problem.map { text -> HTML in "<span class=\"wrong\">\(text)</span>" }
        let theirText = theirs.map { text -> HTML in "<span class=\"theirs\">Saved now: \(text)</span>" }
        return """
            <div class="field\(" wrong", if: problem != nil)\(" differs", if: theirs != nil)">
            \(control(isWrong: problem != nil))
            <p class="about" id="about-\(name)">\(problemText)\(theirText)</p>
            </div>

            """
    }

    private func control(isWrong: Bool) -> HTML {
        switch kind {
        case .text: input("text", isWrong)
        case .email: input("email", isWrong)
        case .date: input("date", isWrong)
        case .dateTime: input("datetime-local", isWrong)
        // Browsers drop the first line break in a text area, so there is one for them.
        case .longText:
            """
            <label for="\(name)">\(label)</label>
            <textarea id="\(name)" name="\(name)" rows="5" aria-describedby="about-\(name)">
            \(value)</textarea>
            """
        case .choice(let options):
            """
            <label for="\(name)">\(label)</label>
            <select id="\(name)" name="\(name)" aria-describedby="about-\(name)">
            \(options.map(selectable))</select>
            """
        case .choices(let options):
            """
            <fieldset aria-describedby="about-\(name)">
            <legend>\(label)</legend>
            \(options.map(checkable))</fieldset>
            """
        }
    }

    private var value: String { values.first ?? "" }

    private func input(_ type: String, _ isWrong: Bool) -> HTML {
        """
        <label for="\(name)">\(label)</label>
        <input id="\(name)" name="\(name)" type="\(type)" value="\(value)"\(" required", if: isRequired)\
        \(" aria-invalid=\"true\"", if: isWrong) aria-describedby="about-\(name)">
        """
    }

    private func selectable(_ option: Option) -> HTML {
        """
        <option value="\(option.value)"\(" selected", if: values.contains(option.value))>\(option.text)</option>

        """
    }

    private func checkable(_ option: Option) -> HTML {
        """
        <label class="check"><input type="checkbox" name="\(name)" value="\(option.value)"\
        \(" checked", if: values.contains(option.value))> \(option.text)</label>

        """
    }
}
