"use client";

import { type FormEvent, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { CurrentPassword } from "@/components/account/current-password";
import { SettingsGroup } from "@/components/account/settings-group";
import { SignInAgain } from "@/components/account/sign-in-again";
import { useAccountChange } from "@/components/account/use-account-change";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PASSWORD_MIN } from "@/lib/features/account/rules";
import type { SignInMethods } from "@/lib/features/account/schema";

/** Another password, or the first one of an account that has none. */
export function PasswordSettings({ methods }: { methods: SignInMethods }) {
  const { hasPassword } = methods;
  const words = hasPassword ? CHANGE : SET;
  const { user } = useAuth();
  const { send, errors, warm, isPending } = useAccountChange(words.saved);
  const [password, setPassword] = useState("");
  const [currentPassword, setCurrentPassword] = useState("");
  const [isShown, setShown] = useState(false);

  function begin() {
    setPassword("");
    setCurrentPassword("");
    setShown(false);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const proof = hasPassword ? { currentPassword } : {};
    void send(event.currentTarget, { password, ...proof }, { mustProve: hasPassword, onSaved: begin });
  }

  return (
    <SettingsGroup title="Password" about={words.about}>
      <form method="post" noValidate onFocus={warm} onSubmit={submit} className="grid gap-5">
        {/* A current password alone was filled in by the browser, or is quickly typed again. */}
        <LeaveGuard active={password !== ""} onLeave={begin} />
        {/* Tells a password manager whose password this is. */}
        <input type="text" autoComplete="username" value={user?.username ?? ""} readOnly hidden />
        <Field
          label="New password"
          error={errors.password}
          hint={`At least ${PASSWORD_MIN} characters.`}
          action={
            <Button variant="link" size="sm" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              Show password
            </Button>
          }
        >
          <Input
            type={isShown ? "text" : "password"}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        {hasPassword ? (
          <CurrentPassword value={currentPassword} onChange={setCurrentPassword} error={errors.currentPassword} />
        ) : null}
        <SignInAgain methods={methods} />
        <Button type="submit" variant="outline" pending={isPending} className="w-fit">
          {words.button}
        </Button>
      </form>
    </SettingsGroup>
  );
}

const CHANGE = {
  about: "A new password signs out every other device. This one stays signed in.",
  button: "Change Password",
  saved: { title: "Password changed", description: "Every other device was signed out." },
};

const SET = {
  about: "Your account has no password yet. With one you can sign in by username, too.",
  button: "Set Password",
  saved: { title: "Password set", description: "Every other device was signed out." },
};
