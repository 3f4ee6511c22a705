"use client";

import { type FormEvent, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { useSendResetLink } from "@/components/account/reset/use-send-reset-link";
import { draftOf, editedFields, emailHint, restoreDraft } from "@/components/account/settings/account-draft";
import { CurrentPassword } from "@/components/account/settings/current-password";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { useAccountChange } from "@/components/account/settings/use-account-change";
import { ReauthenticationNotice } from "@/components/account/sign-in/reauthentication-notice";
import { Field } from "@/components/shared/field";
import { afterRender } from "@/components/shared/focus-return";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { ReasonButton } from "@/components/shared/reason-button";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { useSessionDraft } from "@/lib/client/use-session-draft";
import type { SignInMethods } from "@/lib/features/account/google/schema";
import type { UserOut } from "@/lib/features/account/schema";

type Props = {
  methods: SignInMethods;
  /** True if this server can send mail. */
  canMail: boolean;
};

/** The user's username and e-mail address. */
export function SignInDetails(props: Props) {
  const { user } = useAuth();
  return user ? <DetailsForm user={user} {...props} /> : null;
}

const SAVED = { title: "Account saved", description: "Your sign-in details are up to date." };

function DetailsForm({ user, methods, canMail }: Props & { user: UserOut }) {
  const { send, errors, warm, isPending } = useAccountChange(SAVED);
  const confirmation = useSendResetLink();
  const [draft, setDraft] = useState(() => draftOf(user));
  const [currentPassword, setCurrentPassword] = useState("");
  const changes = editedFields(draft, user);
  const count = Object.keys(changes).length;
  // It is asked for only with a change: browsers fill in a password field that is always there.
  const needsPassword = methods.hasPassword && count > 0;
  useSessionDraft("account", {
    take: () => (count > 0 ? changes : null),
    restore(stored) {
      const restored = restoreDraft(stored, draft);
      setDraft(restored);
      return Object.keys(editedFields(restored, user)).length > 0;
    },
  });

  function reset(stored: UserOut) {
    setDraft(draftOf(stored));
    setCurrentPassword("");
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (count === 0) return;
    const form = event.currentTarget;
    const proof = needsPassword ? { currentPassword } : {};
    void send(form, { ...changes, ...proof }, { needsPassword, onSaved });

    function onSaved(stored: UserOut) {
      reset(stored);
      // The password field is unmounted, perhaps with the focus.
      afterRender(() => form.querySelector<HTMLElement>("[type=submit]")?.focus());
    }
  }

  return (
    <SettingsGroup
      title="Sign-in details"
      about="With a password you sign in by username or by e-mail address. A link to set a new one goes to this address."
    >
      <form method="post" noValidate onFocus={warm} onSubmit={submit} className="grid gap-5">
        <LeaveGuard active={count > 0} onLeave={() => reset(user)} />
        <Field label="Username" error={changes.username === undefined ? undefined : errors.username}>
          <Input
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={draft.username}
            onChange={(event) => setDraft({ ...draft, username: event.target.value })}
          />
        </Field>
        <Field
          label="Email"
          error={changes.email === undefined ? undefined : errors.email}
          hint={emailHint(draft, user, { methods, canMail })}
        >
          <Input
            type="email"
            autoComplete="email"
            value={draft.email}
            onChange={(event) => setDraft({ ...draft, email: event.target.value })}
          />
        </Field>
        {user.email && canMail && !methods.isEmailVerified && changes.email === undefined ? (
          <Button
            variant="outline"
            size="sm"
            className="-mt-2 w-fit"
            pending={confirmation.isSending}
            onClick={() => confirmation.send(user.email ?? "")}
          >
            Send a link to confirm it
          </Button>
        ) : null}
        {needsPassword ? (
          <CurrentPassword value={currentPassword} onChange={setCurrentPassword} error={errors.currentPassword} />
        ) : null}
        <ReauthenticationNotice methods={methods} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <ReasonButton
            type="submit"
            variant="outline"
            pending={isPending}
            disabledReason={count === 0 && NOTHING_CHANGED}
          >
            Save Account
          </ReasonButton>
          <span role="status" className="text-muted-foreground text-sm">
            {count === 0 ? "" : `${count} unsaved ${count === 1 ? "change" : "changes"}`}
          </span>
        </div>
      </form>
    </SettingsGroup>
  );
}

const NOTHING_CHANGED = "Change username or email first.";
