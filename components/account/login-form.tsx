"use client";

import { type FormEvent, useActionState, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { ForgotPasswordDialog } from "@/components/account/forgot-password-dialog";
import { PostedFailure } from "@/components/account/posted-failure";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { referenceOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { SIGN_IN, toast, toasts } from "@/lib/client/toast";
import type { ErrorType } from "@/lib/errors";
import { signInForm } from "@/lib/features/account/actions";
import { NOT_POSTED, type TypedNames } from "@/lib/utils/posted-form";

const loadLoginInput = () => import("@/lib/features/account/schema").then((schema) => schema.loginInput);

/** Username and password. `leaving` keeps the button busy while the next page loads; `canReset`: a reset can be mailed. */
export function LoginForm({
  typed,
  next,
  onSignedIn,
  leaving,
  canReset,
}: {
  typed: TypedNames;
  next: string;
  onSignedIn: () => void;
  leaving: boolean;
  canReset: boolean;
}) {
  const { login, loading } = useAuth();
  const { check, isChecking, warm } = useFormCheck(loadLoginInput);
  const [posted, post] = useActionState(signInForm, NOT_POSTED);
  const [found, setErrors] = useState<FieldErrors | null>(null);
  // What came back with the page, until the script has found something itself.
  const errors = found ?? errorsOf(posted.failure);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const input = await check(Object.fromEntries(new FormData(form)));
    if (!input) return;
    setErrors(input.errors ?? {});
    if (!input.data) return focusFirstError(form);
    toasts.withdraw(SIGN_IN);
    const { user, error, failure } = await login(input.data);
    if (user) return onSignedIn();
    setErrors(errorsOf(failure));
    focusFirstError(form);
    toast({
      title: "Login failed",
      description: error ?? undefined,
      variant: "destructive",
      reference: referenceOf(failure),
      subject: SIGN_IN,
    });
  }

  return (
    <form action={post} noValidate onSubmit={submit} onFocus={warm} className="grid gap-5">
      <input type="hidden" name="next" value={next} />
      {found ? null : <PostedFailure title="Login failed" posted={posted} />}
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
      <Field label="Password" error={errors.password} action={<ForgotPassword canReset={canReset} />}>
        <Input name="password" type="password" autoComplete="current-password" required />
      </Field>
      <Button type="submit" pending={isChecking || loading || leaving} className="w-full">
        Login
      </Button>
    </form>
  );
}

/** Stays at the field when the notification has gone. */
const NO_MATCH = "That username and password do not match.";

function errorsOf(failure: { type?: ErrorType; fields?: FieldErrors } | null): FieldErrors {
  return failure?.type === "UNAUTHENTICATED" ? { password: [NO_MATCH] } : (failure?.fields ?? {});
}

function ForgotPassword({ canReset }: { canReset: boolean }) {
  return (
    <>
      <ForgotPasswordDialog canReset={canReset}>
        <Button variant="link" size="sm" className="noscript:hidden">
          Forgot password?
        </Button>
      </ForgotPasswordDialog>
      {/* The dialog needs its script. */}
      <noscript>
        <Button asChild variant="link" size="sm">
          <a href="/auth/forgot">Forgot password?</a>
        </Button>
      </noscript>
    </>
  );
}
