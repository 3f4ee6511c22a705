/**
 * Does this key belong to an input method, such as the Enter that takes a word? Safari has ended the composition by then and
 * says so with the key code alone.
 */
export function isComposing({ isComposing: isOpen, keyCode }: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return isOpen || keyCode === 229;
}
