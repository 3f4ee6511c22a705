"use client";

import { useAuth } from "@/components/account/auth-provider";
import { ForgotPasswordDialog } from "@/components/account/reset/forgot-password-dialog";
import { CredentialsForm, type Failure, type SignInProps } from "@/components/account/sign-in/credentials-form";
import { Field } from "@/components/shared/field";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { FieldErrors } from "@/lib/client/form";
import { signInForm } from "@/lib/features/account/sign-in/actions";

const loadLoginInput = () => import("@/lib/features/account/sign-in/schema").then((schema) => schema.loginInput);

/** Username and password. `canReset`: the server can mail a password reset. */
export function LoginForm({ canReset, ...props }: SignInProps & { canReset: boolean }) {
  const { login } = useAuth();
  return (
    <CredentialsForm
      {...props}
      label="Login"
      failureTitle="Login failed"
      loadSchema={loadLoginInput}
      send={login}
      postForm={signInForm}
      errorsOf={errorsOf}
    >
      {(errors) => (
        <Field label="Password" error={errors.password} action={<ForgotPassword canReset={canReset} />}>
          <Input name="password" type="password" autoComplete="current-password" required />
        </Field>
      )}
    </CredentialsForm>
  );
}

/** Stays at the field when the toast is gone. */
const NO_MATCH = "That username and password do not match.";

function errorsOf(failure: Failure): FieldErrors {
  return failure?.type === "UNAUTHENTICATED" ? { password: [NO_MATCH] } : (failure?.fields ?? {});
}

function ForgotPassword({ canReset }: { canReset: boolean }) {
  return (
    <>
      <ForgotPasswordDialog canReset={canReset}>
        <Button variant="link" size="sm" className="noscript:hidden">
          Forgot password?
        </Button>
      </ForgotPasswordDialog>
      {/* The dialog needs scripts. */}
      <noscript>
        <Button asChild variant="link" size="sm">
          <a href="/auth/forgot">Forgot password?</a>
        </Button>
      </noscript>
    </>
  );
}
