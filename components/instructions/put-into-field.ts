import type { RefObject } from "react";

/** A single-line or multi-line text field, controlled by React or not. */
export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** The field of a popover, and how many characters it takes. */
export type Target = { field: RefObject<TextField | null>; max: number };

/** Returns what the field holds once the instruction is added behind what was typed. */
export function withInstruction(field: TextField, instruction: string): string {
  const isOneLine = field instanceof HTMLInputElement;
  const added = isOneLine ? instruction.replace(/\s+/g, " ") : instruction;
  const typed = field.value;
  if (typed.trim() === "") return added;
  if (isOneLine) return /\s$/.test(typed) ? typed + added : `${typed} ${added}`;
  return typed.endsWith("\n") ? typed + added : `${typed}\n${added}`;
}

/** Makes the value the field's own, as typing does: React and the form hear of it, and Ctrl+Z takes it back. */
export function putIntoField(field: TextField, value: string): void {
  const typed = field.value;
  const isAdded = value.startsWith(typed);
  field.focus();
  field.setSelectionRange(isAdded ? typed.length : 0, typed.length);
  // It is deprecated, and still the only way into the undo history of a browser's own field.
  if (document.execCommand?.("insertText", false, isAdded ? value.slice(typed.length) : value)) return;
  setValue(field, value);
}

/** Sets the value without undo, where the browser or the field's state has not let it be typed. */
function setValue(field: TextField, value: string): void {
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  // React overrides the field's own setter, and ignores the event of a value set through it.
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Focuses the field with the caret at its end. */
export function focusEnd(field: TextField): void {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
  field.scrollTop = field.scrollHeight;
}
