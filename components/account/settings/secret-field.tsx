"use client";

import { useRef, useState } from "react";
import type { SecretChange } from "@/components/account/settings/settings-draft";
import { Field, FieldError } from "@/components/shared/field";
import { afterRender } from "@/components/shared/focus-return";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

/**
 * A secret that the server never sends back. A stored one is a row with its hint, Remove and Replace; otherwise it is an
 * empty field. `mustType` asks for it again although one is stored.
 */
export function SecretField({
  label,
  stored,
  hint,
  value,
  onChange,
  error,
  placeholder,
  help,
  mustType = false,
}: {
  label: string;
  stored: boolean;
  /** The last characters of the stored secret, if they may be shown. */
  hint?: string | null;
  value: SecretChange;
  onChange: (value: SecretChange) => void;
  error?: string[];
  placeholder?: string;
  help?: string;
  mustType?: boolean;
}) {
  const [isReplacing, setReplacing] = useState(false);
  const row = useRef<HTMLDivElement>(null);
  const isTyping = !stored || mustType || isReplacing || typeof value === "string";

  /** The pressed button is replaced: moves the focus to the new one. */
  function change(next: SecretChange) {
    onChange(next);
    afterRender(() => row.current?.querySelector("button")?.focus());
  }

  if (isTyping && value !== null) {
    return (
      <Field
        label={label}
        error={error}
        hint={help}
        action={
          stored && !mustType ? (
            <Button
              variant="link"
              size="sm"
              onClick={() => {
                setReplacing(false);
                change(undefined);
              }}
            >
              Keep the stored one
            </Button>
          ) : null
        }
      >
        <Input
          type="password"
          // Keeps password managers from filling in the account's own password.
          autoComplete="new-password"
          spellCheck={false}
          placeholder={placeholder}
          value={value ?? ""}
          autoFocus={isReplacing}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    );
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out like the other labels.
    <div ref={row} role="group" aria-label={label} className="grid gap-1.5">
      <span aria-hidden="true" className="font-medium">
        {label}
      </span>
      <div className="flex min-h-(--control) items-center gap-2 rounded-md border border-input bg-card pr-1 pl-3">
        {value === null ? (
          <>
            <span className="min-w-0 flex-1 text-muted-foreground">Removed when you save</span>
            <Button variant="ghost" size="sm" onClick={() => change(undefined)}>
              Undo
            </Button>
          </>
        ) : (
          <>
            <span className="min-w-0 flex-1 truncate tracking-wider">
              <span aria-hidden="true">••••••••••••{hint ? ` ${hint}` : ""}</span>
              <span className="sr-only">{hint ? `Stored, ends in ${hint}` : "Stored"}</span>
            </span>
            <Button variant="ghost" size="sm" onClick={() => change(null)}>
              Remove
            </Button>
            <Button variant="ghost" size="sm" onClick={() => setReplacing(true)}>
              Replace
            </Button>
          </>
        )}
      </div>
      {error ? <FieldError>{error[0]}</FieldError> : null}
    </div>
  );
}
