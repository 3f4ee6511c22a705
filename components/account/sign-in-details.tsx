"use client";

import { type FormEvent, useState } from "react";
import { changesOf, draftFromKept, draftOf, emailHint } from "@/components/account/account-draft";
import { useAuth } from "@/components/account/auth-provider";
import { CurrentPassword } from "@/components/account/current-password";
import { SettingsGroup } from "@/components/account/settings-group";
import { SignInAgain } from "@/components/account/sign-in-again";
import { useAccountChange } from "@/components/account/use-account-change";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { ReasonButton } from "@/components/shared/reason-button";
import { Field } from "@/components/ui/field";
import { onceDrawn } from "@/components/ui/focus-return";
import { Input } from "@/components/ui/input";
import { useKeptText } from "@/lib/client/use-kept-text";
import type { SignInMethods, UserOut } from "@/lib/features/account/schema";

type Props = {
  methods: SignInMethods;
  /** Can a mail reach a person from this server? */
  canMail: boolean;
};

/** Username and e-mail address of the signed-in person. */
export function SignInDetails(props: Props) {
  const { user } = useAuth();
  return user ? <DetailsForm user={user} {...props} /> : null;
}

const SAVED = { title: "Account saved", description: "Your sign-in details are up to date." };

function DetailsForm({ user, methods, canMail }: Props & { user: UserOut }) {
  const { send, errors, warm, isPending } = useAccountChange(SAVED);
  const [draft, setDraft] = useState(() => draftOf(user));
  const [currentPassword, setCurrentPassword] = useState("");
  const changes = changesOf(draft, user);
  const count = Object.keys(changes).length;
  // Only then is there something to prove; and browsers fill in a password field that always stands there.
  const mustProve = methods.hasPassword && count > 0;
  useKeptText("account", {
    take: () => (count > 0 ? changes : null),
    restore(kept) {
      const back = draftFromKept(kept, draft);
      setDraft(back);
      return Object.keys(changesOf(back, user)).length > 0;
    },
  });

  function begin(stored: UserOut) {
    setDraft(draftOf(stored));
    setCurrentPassword("");
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (count === 0) return;
    const form = event.currentTarget;
    const proof = mustProve ? { currentPassword } : {};
    void send(form, { ...changes, ...proof }, { mustProve, onSaved });

    function onSaved(stored: UserOut) {
      begin(stored);
      // The field of the current password is gone, maybe with the focus.
      onceDrawn(() => form.querySelector<HTMLElement>("[type=submit]")?.focus());
    }
  }

  return (
    <SettingsGroup
      title="Sign-in details"
      about="With a password you sign in by username or by e-mail address. A link to set a new one goes to this address."
    >
      <form method="post" noValidate onFocus={warm} onSubmit={submit} className="grid gap-5">
        <LeaveGuard active={count > 0} onLeave={() => begin(user)} />
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
        {mustProve ? (
          <CurrentPassword value={currentPassword} onChange={setCurrentPassword} error={errors.currentPassword} />
        ) : null}
        <SignInAgain methods={methods} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <ReasonButton type="submit" variant="outline" pending={isPending} refused={count === 0 && NOTHING_CHANGED}>
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
