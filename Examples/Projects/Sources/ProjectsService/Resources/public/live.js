// Follows what is shown by server-sent events. Without it, every page works by itself.
"use strict";

const connection = document.getElementById("connection");

// A browser that goes back to a page shows it as it was, so it is loaded again.
const sources = new Set();
addEventListener("pagehide", () => { for (const source of sources) source.close(); });
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

function follow(address, event, use) {
  const source = new EventSource(address);
  source.addEventListener(event, (message) => use(message.data, source));
  source.addEventListener("open", () => { connection.hidden = true; });
  source.addEventListener("error", () => {
    connection.hidden = false;
    // The browser tries again by itself unless the answer was an error, as while an instance starts.
    if (source.readyState !== EventSource.CLOSED) return;
    sources.delete(source);
    setTimeout(() => follow(address, event, use), 1000);
  });
  sources.add(source);
}

const rows = document.getElementById("rows");
if (rows) {
  let shown = null;
  follow(rows.dataset.live, "rows", (html) => {
    if (html === shown) return;
    shown = html;
    // Whoever walks through the list by keyboard stays where they are.
    const focused = rows.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    rows.innerHTML = html;
    if (focused) rows.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  });
}

const form = document.querySelector("form[data-live]");
if (form) {
  let isDirty = "dirty" in form.dataset;
  form.addEventListener("input", () => { isDirty = true; });
  let isSending = false;
  form.addEventListener("submit", () => { isSending = true; });
  const version = form.elements.version.value;
  follow(form.dataset.live, "version", (current) => {
    if (current === version || isSending) return;
    if (current === "gone") document.getElementById("gone").hidden = false;
    else if (isDirty) document.getElementById("changed").hidden = false;
    else location.reload();
  });
}
