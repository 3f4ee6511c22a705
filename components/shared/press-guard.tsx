"use client";

import { useEffect } from "react";
import { guardPresses } from "@/lib/client/presses";

/** Ignores the second press of a double click, and the repeats of a held key, where they would do something else. */
export function PressGuard() {
  useEffect(() => guardPresses(window), []);
  return null;
}
