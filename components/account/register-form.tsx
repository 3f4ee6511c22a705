"use client";

import { type FormEvent, useActionState, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { PostedFailure } from "@/components/account/posted-failure";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { referenceOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { SIGN_IN, toast, toasts } from "@/lib/client/toast";
import { registerForm } from "@/lib/features/account/actions";
import { PASSWORD_MIN } from "@/lib/features/account/rules";
import { NOT_POSTED, type TypedNames } from "@/lib/utils/posted-form";

const loadRegisterInput = () => import("@/lib/features/account/schema").then((schema) => schema.registerInput);

/** Username, e-mail and password. `leaving` keeps the button busy while the next page loads. */
export function RegisterForm({
  typed,
  next,
  onSignedIn,
  leaving,
}: {
  typed: TypedNames;
  next: string;
  onSignedIn: () => void;
  leaving: boolean;
}) {
  const { register, loading } = useAuth();
  const { check, isChecking, warm } = useFormCheck(loadRegisterInput);
  const [posted, post] = useActionState(registerForm, NOT_POSTED);
  const [found, setErrors] = useState<FieldErrors | null>(null);
  // What came back with the page, until the script has found something itself.
  const errors = found ?? posted.failure?.fields ?? {};

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const input = await check(Object.fromEntries(new FormData(form)));
    if (!input) return;
    setErrors(input.errors ?? {});
    if (!input.data) return focusFirstError(form);
    toasts.withdraw(SIGN_IN);
    const { user, error, failure } = await register(input.data);
    if (user) return onSignedIn();
    setErrors(failure?.fields ?? {});
    focusFirstError(form);
    toast({
      title: "Registration failed",
      description: error ?? undefined,
      variant: "destructive",
      reference: referenceOf(failure),
      subject: SIGN_IN,
    });
  }

  return (
    <form action={post} noValidate onSubmit={submit} onFocus={warm} className="grid gap-5">
      <input type="hidden" name="next" value={next} />
      {found ? null : <PostedFailure title="Registration failed" posted={posted} />}
      <Field label="Username" error={errors.username}>
        <Input
          name="username"
          defaultValue={typed.username ?? posted.typed.username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </Field>
      <Field label="Email" error={errors.email} hint="Optional.">
        <Input name="email" type="email" defaultValue={typed.email ?? posted.typed.email} autoComplete="email" />
      </Field>
      <Field label="Password" error={errors.password} hint={`At least ${PASSWORD_MIN} characters.`}>
        <Input name="password" type="password" autoComplete="new-password" required />
      </Field>
      <Button type="submit" pending={isChecking || loading || leaving} className="w-full">
        Register
      </Button>
    </form>
  );
}
