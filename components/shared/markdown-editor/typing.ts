import { EditorView } from "@codemirror/view";

/**
 * Keys that only type are the editor's alone. React would look through all elements around it at each of them, and nothing
 * there waits for them. Keys with Ctrl, Alt or the command key pass, because they may be a shortcut; so do input events,
 * because writing aids of the browser may listen for them.
 */
export const typing = EditorView.domEventHandlers({ keydown: keep, keypress: keep, keyup: keep });

/** The editor's own handlers still run. */
function keep(event: KeyboardEvent): false {
  const isTyped = event.key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey);
  if (isTyped) event.stopPropagation();
  return false;
}
