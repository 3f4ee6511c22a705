"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { SignInAgain } from "@/components/account/sign-in-again";
import { FormDialog } from "@/components/shared/form-dialog";
import { Button } from "@/components/ui/button";
import { DialogClose, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { ApiError } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { useDeleteAccount, useIsExporting } from "@/lib/features/account/client";
import { CONFIRM_DELETION, NEEDS_PASSWORD } from "@/lib/features/account/rules";
import { deleteAccountInput, type SignInMethods } from "@/lib/features/account/schema";

type Owner = { username: string; methods: SignInMethods };

/** Asks for the username by hand and the proof of who it is. */
export function DeleteAccountDialog({
  open,
  onOpenChange,
  ...owner
}: Owner & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const router = useRouter();
  // Here and not in the form: the page under it is gone before the answer has been told.
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

/** Lives only while the dialog is open, so that it is empty each time. */
function Fields({ username, methods, remove }: Owner & { remove: ReturnType<typeof useDeleteAccount> }) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const isExporting = useIsExporting();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = parseForm(deleteAccountInput, Object.fromEntries(new FormData(form)));
    const wrong = typed.errors ?? {
      ...(typed.data.confirm === username ? {} : { confirm: [CONFIRM_DELETION] }),
      ...(methods.hasPassword && !typed.data.password ? { password: [NEEDS_PASSWORD] } : {}),
    };
    setErrors(wrong);
    if (!typed.data || Object.keys(wrong).length > 0) return focusFirstError(form);
    remove.mutate(typed.data, {
      onError: (error) => {
        setErrors(error instanceof ApiError ? error.fields : {});
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
        <SignInAgain methods={methods} />
      )}
      {isExporting ? (
        <p role="status" className="text-muted-foreground">
          Your export is still being saved. Wait until it is there.
        </p>
      ) : null}
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="destructive" disabled={isExporting} pending={remove.isPending}>
          Delete account for good
        </Button>
      </DialogFooter>
    </form>
  );
}
