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
import { useConnectGoogle, useDisconnectGoogle } from "@/lib/features/account/client";
import { proofInput, type SignInMethods } from "@/lib/features/account/schema";

const WORDS = {
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

type Purpose = keyof typeof WORDS;

/** Asks for the password before a way to sign in is added or taken away. */
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
  const { title, description } = WORDS[purpose];
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
  const connect = useConnectGoogle();
  const disconnect = useDisconnectGoogle();
  const call = purpose === "connect" ? connect : disconnect;
  const [errors, setErrors] = useState<FieldErrors>({});

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = parseForm(proofInput, Object.fromEntries(new FormData(form)));
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    const onError = (error: Error) => {
      setErrors(error instanceof ApiError ? error.fields : {});
      focusFirstError(form);
    };
    if (purpose === "connect") connect.mutate(typed.data, { onError });
    else disconnect.mutate(typed.data, { onError, onSuccess: disconnected });
  }

  function disconnected() {
    onDone();
    router.refresh();
  }

  return (
    <div className="grid gap-5">
      <SignInAgain methods={methods} />
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        {methods.hasPassword ? (
          <Field label="Current password" error={errors.currentPassword}>
            <Input name="currentPassword" type="password" autoComplete="current-password" required />
          </Field>
        ) : null}
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          {/* On the way to Google the page is still here for a moment. */}
          <Button
            type="submit"
            variant={purpose === "connect" ? "default" : "destructive"}
            pending={call.isPending || connect.isSuccess}
          >
            {WORDS[purpose].submit}
          </Button>
        </DialogFooter>
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
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">Close</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}
