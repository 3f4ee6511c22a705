"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { ReauthenticationNotice } from "@/components/account/sign-in/reauthentication-notice";
import { DialogFormFooter } from "@/components/shared/dialog-footers";
import { Field } from "@/components/shared/field";
import { FormDialog } from "@/components/shared/form-dialog";
import { Input } from "@/components/ui/input";
import { fieldErrorsOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import type { SignInMethods } from "@/lib/features/account/google/schema";
import { useDeleteAccount, useIsExporting } from "@/lib/features/account/own-data/client";
import { deleteAccountInput } from "@/lib/features/account/own-data/schema";
import { CONFIRM_DELETION, NEEDS_PASSWORD } from "@/lib/features/account/rules";

type Owner = { username: string; methods: SignInMethods };

/** Asks for the username, and for proof of identity. */
export function DeleteAccountDialog({
  open,
  onOpenChange,
  ...owner
}: Owner & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const router = useRouter();
  // Called here and not in the form, which is unmounted before the toast is shown.
  const remove = useDeleteAccount(() => router.replace("/auth"));
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      pending={remove.isPending}
      title="Delete account"
      description="Everything in it is deleted for good. What is on your WordPress site stays there."
    >
      <Fields {...owner} remove={remove} />
    </FormDialog>
  );
}

/** The form, mounted only while the dialog is open, so that it starts empty. */
function Fields({ username, methods, remove }: Owner & { remove: ReturnType<typeof useDeleteAccount> }) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const isExporting = useIsExporting();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const parsed = parseForm(deleteAccountInput, Object.fromEntries(new FormData(form)));
    const invalid = parsed.errors ?? {
      ...(parsed.data.confirm === username ? {} : { confirm: [CONFIRM_DELETION] }),
      ...(methods.hasPassword && !parsed.data.password ? { password: [NEEDS_PASSWORD] } : {}),
    };
    setErrors(invalid);
    if (!parsed.data || Object.keys(invalid).length > 0) return focusFirstError(form);
    remove.mutate(parsed.data, {
      onError: (error) => {
        setErrors(fieldErrorsOf(error));
        focusFirstError(form);
      },
    });
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-5">
      <Field
        label={
          <span className="wrap-anywhere">
            Type <bdi className="select-all">{username}</bdi> to confirm
          </span>
        }
        error={errors.confirm}
      >
        <Input name="confirm" required autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Field>
      {methods.hasPassword ? (
        <Field label="Password" error={errors.password}>
          <Input name="password" type="password" required autoComplete="current-password" />
        </Field>
      ) : (
        <ReauthenticationNotice methods={methods} />
      )}
      {isExporting ? (
        <p role="status" className="text-muted-foreground">
          Your export is still being saved. Wait until it is there.
        </p>
      ) : null}
      <DialogFormFooter variant="destructive" disabled={isExporting} pending={remove.isPending}>
        Delete account for good
      </DialogFormFooter>
    </form>
  );
}
