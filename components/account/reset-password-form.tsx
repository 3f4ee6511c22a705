"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { ForgotPasswordDialog } from "@/components/account/forgot-password-dialog";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { ApiError } from "@/lib/client/api";
import { type FieldErrors, focusFirstError } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { useConfirmReset } from "@/lib/features/account/client";
import { PASSWORD_MIN } from "@/lib/features/account/rules";

const loadResetConfirmInput = () => import("@/lib/features/account/schema").then((schema) => schema.resetConfirmInput);

/**
 * The new password of somebody who came by a mailed link. `canReset`: a new link can be asked for here; `next` is where a
 * signed-in person goes who has no link.
 */
export function ResetPasswordForm({ canReset, next = "/" }: { canReset: boolean; next?: string }) {
  const token = useLinkToken();
  const { user } = useAuth();
  const confirm = useConfirmReset();
  // Another link opened in the same tab begins anew.
  const isAnswered = confirm.variables?.token === token;
  const { check, isChecking, warm } = useFormCheck(loadResetConfirmInput);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isShown, setShown] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = await check({ token, ...Object.fromEntries(new FormData(form)) });
    if (!typed) return;
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    confirm.mutate(typed.data, {
      onError: (error) => {
        setErrors(error instanceof ApiError ? error.fields : {});
        focusFirstError(form);
      },
    });
  }

  if (user && token === "") return <GoTo path={next} />;
  if (isAnswered && confirm.isSuccess) return <Changed message={confirm.data.message} />;
  const refusal = isAnswered && confirm.error instanceof ApiError ? confirm.error.fields.token?.[0] : undefined;
  const deadLink = token === "" ? "This link is not complete. Open it from the e-mail once more." : refusal;
  return (
    <div className="grid gap-6">
      <h1 className="font-medium text-lg">Choose a new password</h1>
      {deadLink ? (
        <>
          <Alert variant="destructive" live>
            {deadLink}
          </Alert>
          <ForgotPasswordDialog canReset={canReset}>
            <Button className="w-full">Request a New Link</Button>
          </ForgotPasswordDialog>
        </>
      ) : (
        <form method="post" noValidate onSubmit={submit} onFocus={warm} className="grid gap-5">
          <noscript>
            <Alert>
              Setting a new password needs JavaScript. Turn it on for this page and load it again; the link stays good.
            </Alert>
          </noscript>
          <Field
            label="New password"
            error={errors.password}
            hint={`At least ${PASSWORD_MIN} characters. Every device is signed out.`}
            action={
              <Button variant="link" size="sm" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
                Show password
              </Button>
            }
          >
            <Input
              name="password"
              type={isShown ? "text" : "password"}
              autoComplete="new-password"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          </Field>
          {/* Sent before the script is there, the form would put the password into the address. */}
          <Button type="submit" disabled={token === null} pending={isChecking || confirm.isPending} className="w-full">
            Set New Password
          </Button>
        </form>
      )}
      <p>
        <BackToSignIn />
      </p>
    </div>
  );
}

/** The token in the address's fragment: "" without one, null as long as only the server has drawn the page. */
function useLinkToken(): string | null {
  return useSyncExternalStore(
    onFragment,
    () => new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "",
    () => null,
  );
}

function onFragment(react: () => void): () => void {
  window.addEventListener("hashchange", react);
  return () => window.removeEventListener("hashchange", react);
}

function GoTo({ path }: { path: string }) {
  const router = useRouter();
  useEffect(() => router.replace(path), [router, path]);
  return <Spinner label="Loading" className="size-6" />;
}

function Changed({ message }: { message: string }) {
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

function BackToSignIn() {
  return (
    <Link href="/auth" className="text-link underline decoration-link/40 underline-offset-3 hover:decoration-current">
      Back to sign in
    </Link>
  );
}
