"use client";

import { useActionState } from "react";
import { aboutReset, MAILED, NoMailAdvice } from "@/components/account/reset/reset-copy";
import { PostedFailure } from "@/components/account/sign-in/posted-failure";
import { Field } from "@/components/shared/field";
import { Notice } from "@/components/shared/notice";
import { textLink } from "@/components/shared/text-link";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { requestResetForm } from "@/lib/features/account/reset/actions";
import { INITIAL_FORM_STATE } from "@/lib/transport/form-state";

/** The dialog of "Forgot password?" as a page that needs no scripts. */
export function ForgotPasswordPage({ canReset }: { canReset: boolean }) {
  return (
    <div className="grid gap-6">
      <div className="grid gap-1.5">
        <h1 className="font-medium text-lg">Reset Password</h1>
        <p className="text-muted-foreground">{aboutReset(canReset)}</p>
      </div>
      {canReset ? <RequestForm /> : <NoMailAdvice />}
      <p>
        <a href="/auth" className={textLink}>
          Back to sign in
        </a>
      </p>
    </div>
  );
}

function RequestForm() {
  const [posted, post, isPending] = useActionState(requestResetForm, INITIAL_FORM_STATE);
  if (posted.done) {
    return (
      <Notice title={MAILED.title} live>
        {MAILED.description}
      </Notice>
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
