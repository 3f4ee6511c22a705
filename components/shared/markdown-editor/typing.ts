import { EditorView } from "@codemirror/view";

/**
 * What is typed is the editor's alone. React would look through all elements around it at each of these events, and nothing there
 * waits for them; keys with Ctrl, Alt or the command key, which may be somebody's shortcut, pass.
 */
export const typing = EditorView.domEventHandlers({
  keydown: keepKey,
  keypress: keepKey,
  keyup: keepKey,
  beforeinput: keep,
  input: keep,
});

function keepKey(event: KeyboardEvent): boolean {
  const isTyped = event.key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey);
  return isTyped ? keep(event) : false;
}

/** The editor's own handlers still run. */
function keep(event: Event): false {
  event.stopPropagation();
  return false;
}
