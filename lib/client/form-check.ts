"use client";

import { useState } from "react";
import type { z } from "zod";
import { parseForm, type Typed } from "@/lib/client/form";
import { toastNotLoaded } from "@/lib/client/toast";

/**
 * Loads a form's schema, and zod with it, on focus (`warm`), at the latest on submit. `check` returns null, after a toast, when
 * it could not be loaded.
 */
export function useFormCheck<S extends z.ZodType>(load: () => Promise<S>) {
  const [isChecking, setChecking] = useState(false);

  async function check(values: unknown): Promise<Typed<z.output<S>> | null> {
    if (isChecking) return null;
    setChecking(true);
    try {
      return parseForm(await load(), values);
    } catch {
      toastNotLoaded();
      return null;
    } finally {
      setChecking(false);
    }
  }

  return { check, isChecking, warm: () => void load().catch(() => undefined) };
}
