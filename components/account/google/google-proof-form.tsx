"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { ReauthenticationNotice } from "@/components/account/sign-in/reauthentication-notice";
import { DialogCloseFooter, DialogFormFooter } from "@/components/shared/dialog-footers";
import { Field } from "@/components/shared/field";
import { FormDialog } from "@/components/shared/form-dialog";
import { Input } from "@/components/ui/input";
import { fieldErrorsOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { useLinkGoogle, useUnlinkGoogle } from "@/lib/features/account/google/client";
import type { SignInMethods } from "@/lib/features/account/google/schema";
import { reauthenticationInput } from "@/lib/features/account/schema";

const COPY = {
  connect: {
    title: "Connect Google",
    description:
      "You go on to Google and choose the account you want to sign in with. Nothing there is read but its name, picture and e-mail address.",
    submit: "Continue to Google",
  },
  disconnect: {
    title: "Disconnect Google",
    description: "From now on you sign in with your password alone. You can connect Google again at any time.",
    submit: "Disconnect Google",
  },
} as const;

type Purpose = keyof typeof COPY;

/** Asks for the password before Google is connected or disconnected. */
export function GoogleProofForm({
  purpose,
  methods,
  open,
  onOpenChange,
}: {
  purpose: Purpose;
  methods: SignInMethods;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { title, description } = COPY[purpose];
  const needsPassword = purpose === "disconnect" && !methods.hasPassword;
  return (
    <FormDialog open={open} onOpenChange={onOpenChange} title={title} description={description}>
      {needsPassword ? (
        <SetPasswordFirst />
      ) : (
        <Proof purpose={purpose} methods={methods} onDone={() => onOpenChange(false)} />
      )}
    </FormDialog>
  );
}

function Proof({ purpose, methods, onDone }: { purpose: Purpose; methods: SignInMethods; onDone: () => void }) {
  const router = useRouter();
  const connect = useLinkGoogle();
  const disconnect = useUnlinkGoogle();
  const call = purpose === "connect" ? connect : disconnect;
  const [errors, setErrors] = useState<FieldErrors>({});

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const parsed = parseForm(reauthenticationInput, Object.fromEntries(new FormData(form)));
    setErrors(parsed.errors ?? {});
    if (!parsed.data) return focusFirstError(form);
    const onError = (error: Error) => {
      setErrors(fieldErrorsOf(error));
      focusFirstError(form);
    };
    if (purpose === "connect") connect.mutate(parsed.data, { onError });
    else disconnect.mutate(parsed.data, { onError, onSuccess: onDisconnected });
  }

  function onDisconnected() {
    onDone();
    router.refresh();
  }

  return (
    <div className="grid gap-5">
      <ReauthenticationNotice methods={methods} />
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        {methods.hasPassword ? (
          <Field label="Current password" error={errors.currentPassword}>
            <Input name="currentPassword" type="password" autoComplete="current-password" required />
          </Field>
        ) : null}
        <DialogFormFooter
          variant={purpose === "connect" ? "default" : "destructive"}
          // After a success the page stays until Google's has loaded.
          pending={call.isPending || connect.isSuccess}
        >
          {COPY[purpose].submit}
        </DialogFormFooter>
      </form>
    </div>
  );
}

function SetPasswordFirst() {
  return (
    <>
      <p>
        Set a password first: your account has none, and without Google you could not sign in any more. Then come back
        here.
      </p>
      <DialogCloseFooter />
    </>
  );
}
