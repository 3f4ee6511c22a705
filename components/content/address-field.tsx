"use client";

import { type FormEvent, type RefObject, useRef, useState } from "react";
import { Field } from "@/components/shared/field";
import { Input } from "@/components/ui/input";
import { isLinkAddress } from "@/lib/utils/web-address";

/** An address as it is typed, and what is wrong with it. */
type TypedAddress = {
  typed: string;
  /** Undefined while the typed words are no address. */
  address: string | undefined;
  error: string | undefined;
  field: RefObject<HTMLInputElement | null>;
  type: (typed: string) => void;
  /** Handles the form's submission: `onTake` gets the address; without one, the field says what is wrong. */
  submit: (onTake: (address: string) => void) => (event: FormEvent) => void;
};

/**
 * `first` stays as it is until it is changed. `read` finds the address in what is typed; `says` has the sentences for none, and
 * for something else.
 */
export function useTypedAddress(
  first: string,
  read: (typed: string) => string | undefined,
  says: { none: string; wrong: string },
): TypedAddress {
  const [typed, setTyped] = useState(first);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const address = typed === first && first !== "" && isLinkAddress(first) ? first : read(typed);
  return {
    typed,
    address,
    error,
    field,
    type(words) {
      setTyped(words);
      setError(undefined);
    },
    submit: (onTake) => (event) => {
      event.preventDefault();
      // React passes the event on to a form around the dialog, which must not be submitted.
      event.stopPropagation();
      if (address !== undefined) return onTake(address);
      setError(typed.trim() === "" ? says.none : says.wrong);
      field.current?.focus();
    },
  };
}

export function AddressField({
  of: { typed, error, field, type },
  hint,
}: {
  of: TypedAddress;
  hint?: string | undefined;
}) {
  return (
    <Field label="Address" error={error} hint={hint}>
      {(control) => (
        <Input
          {...control}
          ref={field}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://…"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
      )}
    </Field>
  );
}
