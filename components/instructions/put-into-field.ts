import type { RefObject } from "react";

/** A single-line or multi-line text field, controlled by React or not. */
export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** The field of a popover, and how many characters it takes. */
export type Target = { field: RefObject<TextField | null>; max: number };

/** What the field holds once the instruction is added behind what was typed. */
export function withInstruction(field: TextField, instruction: string): string {
  const isOneLine = field instanceof HTMLInputElement;
  const added = isOneLine ? instruction.replace(/\s+/g, " ") : instruction;
  const typed = field.value;
  if (typed.trim() === "") return added;
  if (isOneLine) return /\s$/.test(typed) ? typed + added : `${typed} ${added}`;
  return typed.endsWith("\n") ? typed + added : `${typed}\n${added}`;
}

/** Sets the value as typing does: React and the form hear of it. */
export function putIntoField(field: TextField, value: string): void {
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
