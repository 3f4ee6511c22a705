"use client";

import { useState } from "react";
import type { z } from "zod";
import { parseForm, type Typed } from "@/lib/client/form";
import { tellNotLoaded } from "@/lib/client/toast";

/**
 * For a form that stands on its page from the start: its schema, and zod with it, is loaded when the person turns to the
 * form (`warm`, on focus), at the latest when they send it. `check` answers null when it could not be loaded, which it has
 * told by then.
 */
export function useFormCheck<S extends z.ZodType>(load: () => Promise<S>) {
  const [isChecking, setChecking] = useState(false);

  async function check(values: unknown): Promise<Typed<z.output<S>> | null> {
    if (isChecking) return null;
    setChecking(true);
    try {
      return parseForm(await load(), values);
    } catch {
      tellNotLoaded();
      return null;
    } finally {
      setChecking(false);
    }
  }

  return { check, isChecking, warm: () => void load().catch(() => undefined) };
}
