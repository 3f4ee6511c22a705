"use client";

import { type FormEvent, type ReactNode, useActionState, useState } from "react";
import type { z } from "zod";
import { type AuthResult, useAuth } from "@/components/account/auth-provider";
import { PostedFailure } from "@/components/account/sign-in/posted-failure";
import { Field } from "@/components/shared/field";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { referenceOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { SIGN_IN, toast, toasts } from "@/lib/client/toast";
import type { ErrorType } from "@/lib/errors";
import { type FormState, INITIAL_FORM_STATE, type TypedNames } from "@/lib/transport/form-state";

export type SignInProps = {
  /** Names typed in either tab. */
  typed: TypedNames;
  /** Where a success leads. */
  next: string;
  onSignedIn: () => void;
  /** Keeps the button busy while the next page loads. */
  leaving: boolean;
};

export type Failure = { type?: ErrorType | undefined; fields?: FieldErrors } | null;

/** What Login and Register have in common. Without scripts the form is posted, and its errors come back with the page. */
export function CredentialsForm<S extends z.ZodType>({
  typed,
  next,
  onSignedIn,
  leaving,
  label,
  failureTitle,
  loadSchema,
  send,
  postForm,
  errorsOf = fieldsOf,
  children,
}: SignInProps & {
  label: string;
  failureTitle: string;
  loadSchema: () => Promise<S>;
  send: (input: z.output<S>) => Promise<AuthResult>;
  postForm: (state: FormState, form: FormData) => Promise<FormState>;
  errorsOf?: (failure: Failure) => FieldErrors;
  /** The fields below the username. */
  children: (errors: FieldErrors, typed: TypedNames) => ReactNode;
}) {
  const { loading } = useAuth();
  const { check, isChecking, warm } = useFormCheck(loadSchema);
  const [posted, post] = useActionState(postForm, INITIAL_FORM_STATE);
  const [ownErrors, setErrors] = useState<FieldErrors | null>(null);
  const errors = ownErrors ?? errorsOf(posted.failure);
  const names: TypedNames = { ...posted.typed, ...typed };

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const parsed = await check(Object.fromEntries(new FormData(form)));
    if (!parsed) return;
    setErrors(parsed.errors ?? {});
    if (!parsed.data) return focusFirstError(form);
    toasts.withdraw(SIGN_IN);
    const { user, error, failure } = await send(parsed.data);
    if (user) return onSignedIn();
    setErrors(errorsOf(failure));
    focusFirstError(form);
    toast({
      title: failureTitle,
      description: error ?? undefined,
      variant: "destructive",
      reference: referenceOf(failure),
      subject: SIGN_IN,
    });
  }

  return (
    <form action={post} noValidate onSubmit={submit} onFocus={warm} className="grid gap-5">
      <input type="hidden" name="next" value={next} />
      {ownErrors ? null : <PostedFailure title={failureTitle} posted={posted} />}
      <Field label="Username" error={errors.username}>
        <Input
          name="username"
          defaultValue={names.username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </Field>
      {children(errors, names)}
      <Button type="submit" pending={isChecking || loading || leaving} className="w-full">
        {label}
      </Button>
    </form>
  );
}

function fieldsOf(failure: Failure): FieldErrors {
  return failure?.fields ?? {};
}
