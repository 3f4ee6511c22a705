"use client";

import { type FormEvent, useState } from "react";
import { aboutReset, NoMailAdvice } from "@/components/account/reset/reset-copy";
import { useSendResetLink } from "@/components/account/reset/use-send-reset-link";
import { DialogCloseFooter, DialogFormFooter } from "@/components/shared/dialog-footers";
import { Field } from "@/components/shared/field";
import { ModalContent } from "@/components/shared/modal-content";
import { Dialog, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { resetInput } from "@/lib/features/account/reset/schema";

/** The dialog of "Forgot password?". */
export function ForgotPasswordForm({
  canReset,
  open,
  onOpenChange,
}: {
  canReset: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent>
        <DialogHeader>
          <DialogTitle>Reset Password</DialogTitle>
          <DialogDescription>{aboutReset(canReset)}</DialogDescription>
        </DialogHeader>
        {canReset ? <RequestForm onDone={() => onOpenChange(false)} /> : <NoMail />}
      </ModalContent>
    </Dialog>
  );
}

/** The form, mounted only while the dialog is open, so that it starts empty. */
function RequestForm({ onDone }: { onDone: () => void }) {
  const { send, isSending } = useSendResetLink();
  const [errors, setErrors] = useState<FieldErrors>({});

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // In React's tree the dialog is inside the login form, which would be submitted too.
    event.stopPropagation();
    const form = event.currentTarget;
    const parsed = parseForm(resetInput, Object.fromEntries(new FormData(form)));
    setErrors(parsed.errors ?? {});
    if (!parsed.data) return focusFirstError(form);
    const failed = await send(parsed.data.email);
    if (failed) setErrors(failed.failure?.fields ?? {});
    else onDone();
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Email" error={errors.email}>
        <Input name="email" type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} required />
      </Field>
      <DialogFormFooter pending={isSending}>Send Reset Link</DialogFormFooter>
    </form>
  );
}

function NoMail() {
  return (
    <>
      <NoMailAdvice />
      <DialogCloseFooter />
    </>
  );
}
