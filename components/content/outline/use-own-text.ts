"use client";

import { useState } from "react";

/**
 * The text of a field whose value is stored tidied: what is typed stays as it is until another value comes from outside, so
 * that a space at the end is not removed before the next word is typed.
 */
export function useOwnText(value: string, onChange: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (tidy(value) !== tidy(text)) setText(value);
  }
  function change(next: string) {
    setText(next);
    onChange(next);
  }
  return [text, change];
}

function tidy(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
