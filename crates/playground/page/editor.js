// The editor: CodeMirror with the words of our languages, errors at their places, and the place
// that is selected in the stages.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting }
  from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap,
  lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The words and comments of a language; everything else is alike.
const LANGUAGES = {
  smp: {
    comment: "//",
    words: "return int flt var val if else true false while for break continue struct new null #showGraph",
  },
  rv: {
    comment: "#",
    words: "loop switch func call get inputs outputs trap write",
  },
  cfg: {
    comment: "#",
    words: "function label goto switch mov return trap write call",
  },
};

function tokenizer({ comment, words }) {
  const known = new Set(words.split(" "));
  return StreamLanguage.define({
    token(stream) {
      if (stream.match(comment)) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match(/[0-9][0-9.e]*/)) return "number";
      const word = stream.match(/[#?]?[A-Za-z_]\w*/);
      if (word) return known.has(word[0]) ? "keyword" : "variableName";
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: comment } },
  });
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: tags.number, color: "var(--literal)" },
  { tag: tags.comment, color: "var(--comment)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", borderRadius: "6px" },
  "&.cm-focused": { outline: "2px solid var(--strong)" },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--panel)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--current)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-place": { backgroundColor: "var(--mark)", color: "var(--on-mark)" },
  ".cm-place *": { color: "var(--on-mark) !important" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { background: "var(--chosen)" },
  ".cm-selectionBackground": { background: "var(--chosen)" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-specialChar": { color: "var(--fire)" },
});

// The selected place, as a marked range.
const setPlace = StateEffect.define();
const place = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setPlace)) continue;
      const { from, to } = effect.value;
      return from < to ? Decoration.set([Decoration.mark({ class: "cm-place" }).range(from, to)])
        : Decoration.none;
    }
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

// An editor in an element; `changed` is called with each new text, `moved` with each new place of
// the cursor, and `run` at Ctrl-Enter.
export function makeEditor(parent, { changed, moved, run }) {
  const view = new EditorView({ parent });
  const stateOf = (text, language) => EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightSpecialChars(),
      bracketMatching(), lintGutter(), indentUnit.of("    "), theme, place,
      syntaxHighlighting(colours), tokenizer(LANGUAGES[language]),
      keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }, ...defaultKeymap,
        ...historyKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "Source text", spellcheck: "false" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
        else if (update.transactions.some((it) => it.isUserEvent("select"))) {
          moved(update.state.selection.main.head);
        }
      }),
    ],
  });
  return {
    view,
    open: (text, language) => view.setState(stateOf(text, language)),
    replace: (insert) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    // The errors of the compiler, which are marked at their places.
    mark(diagnostics) {
      const length = view.state.doc.length;
      const marks = diagnostics.map(({ from, to, code, message, label, help }) => ({
        from: Math.min(from, length),
        to: Math.min(Math.max(to, from), length),
        severity: "error",
        message: `${code}: ${message}\n${label}${help ? `\n${help}` : ""}`,
      }));
      view.dispatch(setDiagnostics(view.state, marks));
    },
    // Marks the selected place, `4-7`, and shows it; without one, none is marked.
    select(origin) {
      const length = view.state.doc.length;
      const [from, to] = (origin || "0-0").split("-").map((it) => Math.min(Number(it), length));
      const effects = [setPlace.of({ from, to })];
      if (from < to) effects.push(EditorView.scrollIntoView(from, { y: "nearest" }));
      view.dispatch({ effects });
    },
  };
}
