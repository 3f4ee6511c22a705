"use client";

import { useActionState } from "react";
import { PostedFailure } from "@/components/account/posted-failure";
import { aboutReset, MAILED, NoMailAdvice } from "@/components/account/reset-words";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { requestResetForm } from "@/lib/features/account/actions";
import { NOT_POSTED } from "@/lib/utils/posted-form";

/** What the dialog of "Forgot password?" does, as a page: it needs no script. */
export function ForgotPasswordPage({ canReset }: { canReset: boolean }) {
  return (
    <div className="grid gap-6">
      <div className="grid gap-1.5">
        <h1 className="font-medium text-lg">Reset Password</h1>
        <p className="text-muted-foreground">{aboutReset(canReset)}</p>
      </div>
      {canReset ? <RequestForm /> : <NoMailAdvice />}
      <p>
        <a href="/auth" className="text-link underline decoration-link/40 underline-offset-3 hover:decoration-current">
          Back to sign in
        </a>
      </p>
    </div>
  );
}

function RequestForm() {
  const [posted, post, isPending] = useActionState(requestResetForm, NOT_POSTED);
  if (posted.done) {
    return (
      <Alert title={MAILED.title} live>
        {MAILED.description}
      </Alert>
    );
  }
  return (
    <form action={post} noValidate className="grid gap-5">
      <PostedFailure title="Password reset failed" posted={posted} />
      <Field label="Email" error={posted.failure?.fields?.email}>
        <Input
          name="email"
          type="email"
          defaultValue={posted.typed.email}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </Field>
      <Button type="submit" pending={isPending} className="w-full">
        Send Reset Link
      </Button>
    </form>
  );
}
