"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { NewPasswordField } from "@/components/account/new-password-field";
import { ForgotPasswordDialog } from "@/components/account/reset/forgot-password-dialog";
import { Notice } from "@/components/shared/notice";
import { textLink } from "@/components/shared/text-link";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { fieldErrorsOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { useConfirmReset } from "@/lib/features/account/reset/client";
import { PASSWORD_MIN } from "@/lib/features/account/rules";

const loadResetConfirmInput = () =>
  import("@/lib/features/account/reset/schema").then((schema) => schema.resetConfirmInput);

/** Sets a new password with a mailed link. `canReset`: a new one can be requested; `next`: for signed-in users without one. */
export function ResetPasswordForm({ canReset, next = "/" }: { canReset: boolean; next?: string }) {
  const token = useLinkToken();
  const { user } = useAuth();
  const confirm = useConfirmReset();
  // This is false again when another link is opened in the same tab.
  const isAnswered = confirm.variables?.token === token;
  const { check, isChecking, warm } = useFormCheck(loadResetConfirmInput);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isShown, setShown] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const parsed = await check({ token, ...Object.fromEntries(new FormData(form)) });
    if (!parsed) return;
    setErrors(parsed.errors ?? {});
    if (!parsed.data) return focusFirstError(form);
    confirm.mutate(parsed.data, {
      onError: (error) => {
        setErrors(fieldErrorsOf(error));
        focusFirstError(form);
      },
    });
  }

  if (user && token === "") return <Redirect path={next} />;
  if (isAnswered && confirm.isSuccess) return <PasswordChanged message={confirm.data.message} />;
  const tokenError = isAnswered ? fieldErrorsOf(confirm.error).token?.[0] : undefined;
  const linkError = token === "" ? "This link is not complete. Open it from the e-mail once more." : tokenError;
  return (
    <div className="grid gap-6">
      <h1 className="font-medium text-lg">Choose a new password</h1>
      {linkError ? (
        <>
          <Notice variant="destructive" live>
            {linkError}
          </Notice>
          <ForgotPasswordDialog canReset={canReset}>
            <Button className="w-full">Request a New Link</Button>
          </ForgotPasswordDialog>
        </>
      ) : (
        <form method="post" noValidate onSubmit={submit} onFocus={warm} className="grid gap-5">
          <noscript>
            <Notice>
              Setting a new password needs JavaScript. Turn it on for this page and load it again; the link stays good.
            </Notice>
          </noscript>
          <NewPasswordField
            isShown={isShown}
            onShownChange={setShown}
            error={errors.password}
            hint={`At least ${PASSWORD_MIN} characters. Every device is signed out.`}
            name="password"
          />
          {/* Submitted before scripts have loaded, the form could not send the token. */}
          <Button type="submit" disabled={token === null} pending={isChecking || confirm.isPending} className="w-full">
            Set New Password
          </Button>
        </form>
      )}
      <p>
        <Link href="/auth" className={textLink}>
          Back to sign in
        </Link>
      </p>
    </div>
  );
}

/** The token in the address's fragment: "" without one, null in the server's HTML. */
function useLinkToken(): string | null {
  return useSyncExternalStore(
    subscribeToHash,
    () => new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "",
    () => null,
  );
}

function subscribeToHash(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

function Redirect({ path }: { path: string }) {
  const router = useRouter();
  useEffect(() => router.replace(path), [router, path]);
  return <Spinner label="Loading" className="size-6" />;
}

function PasswordChanged({ message }: { message: string }) {
  return (
    <div className="grid gap-6">
      <h1 className="font-medium text-lg">Password changed</h1>
      <p role="status">{message}</p>
      <Button asChild className="w-full">
        <Link href="/auth" replace>
          Go to Login
        </Link>
      </Button>
    </div>
  );
}
