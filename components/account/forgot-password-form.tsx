"use client";

import { type FormEvent, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { aboutReset, MAILED, NoMailAdvice } from "@/components/account/reset-words";
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
import { referenceOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { toast } from "@/lib/client/toast";
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
          <DialogDescription>{aboutReset(canReset)}</DialogDescription>
        </DialogHeader>
        {canReset ? <RequestForm onDone={() => onOpenChange(false)} /> : <NoMail />}
      </DialogContent>
    </Dialog>
  );
}

/** Lives only while the dialog is open, so that it is empty each time. */
function RequestForm({ onDone }: { onDone: () => void }) {
  const { resetPassword } = useAuth();
  const [isAsking, setAsking] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // In React's tree the dialog lies inside the login form, which would be submitted as well.
    event.stopPropagation();
    const form = event.currentTarget;
    const typed = parseForm(resetInput, Object.fromEntries(new FormData(form)));
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    setAsking(true);
    const { success, error, failure } = await resetPassword(typed.data.email);
    setAsking(false);
    if (success) {
      toast({ ...MAILED, subject: RESET });
      return onDone();
    }
    setErrors(failure?.fields ?? {});
    toast({
      title: "Password reset failed",
      description: error ?? undefined,
      variant: "destructive",
      reference: referenceOf(failure),
      subject: RESET,
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
        <Button type="submit" pending={isAsking}>
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
      <NoMailAdvice />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">Close</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}

/** The subject of its notifications. */
const RESET = "password-reset";
