"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { ApiError } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { useRequestReset } from "@/lib/features/account/client";
import { resetInput } from "@/lib/features/account/schema";

/** What "Forgot password?" opens. */
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
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Reset Password</DialogTitle>
          <DialogDescription>
            {canReset
              ? "We send a link to set a new password to the e-mail address of your account."
              : "Password reset by e-mail is not set up on this server."}
          </DialogDescription>
        </DialogHeader>
        {canReset ? <RequestForm onDone={() => onOpenChange(false)} /> : <NoMail />}
      </DialogContent>
    </Dialog>
  );
}

/** Lives only while the dialog is open, so that it is empty each time. */
function RequestForm({ onDone }: { onDone: () => void }) {
  const request = useRequestReset();
  const [errors, setErrors] = useState<FieldErrors>({});

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // In React's tree the dialog lies inside the login form, which would be submitted as well.
    event.stopPropagation();
    const form = event.currentTarget;
    const typed = parseForm(resetInput, Object.fromEntries(new FormData(form)));
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    request.mutate(typed.data, {
      onSuccess: onDone,
      onError: (error) => setErrors(error instanceof ApiError ? error.fields : {}),
    });
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Email" error={errors.email}>
        <Input name="email" type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} required />
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" pending={request.isPending}>
          Send Reset Link
        </Button>
      </DialogFooter>
    </form>
  );
}

/** What a person can do who lost their password on a server that sends no mail. */
function NoMail() {
  return (
    <>
      <p>
        Ask whoever runs this server to help you back in. Your projects and content stay as they are, and you can go on
        trying the passwords you remember.
      </p>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">Close</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}
