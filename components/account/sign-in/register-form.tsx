"use client";

import { useAuth } from "@/components/account/auth-provider";
import { CredentialsForm, type SignInProps } from "@/components/account/sign-in/credentials-form";
import { Field } from "@/components/shared/field";
import { Input } from "@/components/ui/input";
import { PASSWORD_MIN } from "@/lib/features/account/rules";
import { registerForm } from "@/lib/features/account/sign-in/actions";

const loadRegisterInput = () => import("@/lib/features/account/sign-in/schema").then((schema) => schema.registerInput);

/** Username, e-mail and password. */
export function RegisterForm(props: SignInProps) {
  const { register } = useAuth();
  return (
    <CredentialsForm
      {...props}
      label="Register"
      failureTitle="Registration failed"
      loadSchema={loadRegisterInput}
      send={register}
      postForm={registerForm}
    >
      {(errors, typed) => (
        <>
          <Field label="Email" error={errors.email} hint="Optional.">
            <Input name="email" type="email" defaultValue={typed.email} autoComplete="email" />
          </Field>
          <Field label="Password" error={errors.password} hint={`At least ${PASSWORD_MIN} characters.`}>
            <Input name="password" type="password" autoComplete="new-password" required />
          </Field>
        </>
      )}
    </CredentialsForm>
  );
}
