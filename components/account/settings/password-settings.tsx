"use client";

import { type FormEvent, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { NewPasswordField } from "@/components/account/new-password-field";
import { CurrentPassword } from "@/components/account/settings/current-password";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { useAccountChange } from "@/components/account/settings/use-account-change";
import { ReauthenticationNotice } from "@/components/account/sign-in/reauthentication-notice";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { Button } from "@/components/ui/button";
import type { SignInMethods } from "@/lib/features/account/google/schema";
import { PASSWORD_MIN } from "@/lib/features/account/rules";

/** Changes the password, or sets the first one. */
export function PasswordSettings({ methods }: { methods: SignInMethods }) {
  const { hasPassword } = methods;
  const copy = hasPassword ? CHANGE : SET;
  const { user } = useAuth();
  const { send, errors, warm, isPending } = useAccountChange(copy.saved);
  const [password, setPassword] = useState("");
  const [currentPassword, setCurrentPassword] = useState("");
  const [isShown, setShown] = useState(false);

  function reset() {
    setPassword("");
    setCurrentPassword("");
    setShown(false);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const proof = hasPassword ? { currentPassword } : {};
    void send(event.currentTarget, { password, ...proof }, { needsPassword: hasPassword, onSaved: reset });
  }

  return (
    <SettingsGroup title="Password" about={copy.about}>
      <form method="post" noValidate onFocus={warm} onSubmit={submit} className="grid gap-5">
        {/* It ignores the current password, which the browser may have filled in. */}
        <LeaveGuard active={password !== ""} onLeave={reset} />
        {/* Tells password managers which account this is for. */}
        <input type="text" autoComplete="username" value={user?.username ?? ""} readOnly hidden />
        <NewPasswordField
          isShown={isShown}
          onShownChange={setShown}
          error={errors.password}
          hint={`At least ${PASSWORD_MIN} characters.`}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {hasPassword ? (
          <CurrentPassword value={currentPassword} onChange={setCurrentPassword} error={errors.currentPassword} />
        ) : null}
        <ReauthenticationNotice methods={methods} />
        <Button type="submit" variant="outline" pending={isPending} className="w-fit">
          {copy.button}
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
