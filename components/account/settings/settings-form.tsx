"use client";

import { type FormEvent, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { ConnectWordPress } from "@/components/account/settings/connect-wordpress";
import { SecretField } from "@/components/account/settings/secret-field";
import { ApiKeyLink, ApplicationPasswordLink } from "@/components/account/settings/secret-links";
import {
  changedSettings,
  draftOf,
  needsPasswordAgain,
  rebaseDraft,
  restoreDraft,
  type SettingsDraft,
} from "@/components/account/settings/settings-draft";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { TestConnection } from "@/components/account/settings/test-connection";
import { Field } from "@/components/shared/field";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { PageActions } from "@/components/shared/page-actions";
import { Input } from "@/components/ui/input";
import { fieldErrorsOf } from "@/lib/client/api";
import { type FieldErrors, focusFirstError } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { NOT_STORABLE } from "@/lib/client/session-drafts";
import { useSessionDraft } from "@/lib/client/use-session-draft";
import type { UserOut } from "@/lib/features/account/schema";
import { useSaveSettings } from "@/lib/features/sites/client";
import { useConnectSite } from "@/lib/features/sites/connecting/client";

const loadSettingsInput = () => import("@/lib/features/account/settings/schema").then((schema) => schema.settingsInput);

/** "API Settings" of the signed-in user. */
export function SettingsForm() {
  const { user } = useAuth();
  return user ? <ApiSettings user={user} /> : null;
}

const PASSWORD_AGAIN = "You changed the URL, so the password is needed again. It will only be sent to the new address.";

function ApiSettings({ user }: { user: UserOut }) {
  const save = useSaveSettings();
  const connect = useConnectSite();
  const [draft, setDraft] = useState(() => draftOf(user));
  const [known, setKnown] = useState(user);
  if (known !== user) {
    setKnown(user);
    setDraft(rebaseDraft(draft, known, user));
  }
  const { check, isChecking, warm } = useFormCheck(loadSettingsInput);
  const [errors, setErrors] = useState<FieldErrors>({});
  // The number of saves is part of the secret fields' keys, so that each save resets them.
  const [saves, setSaves] = useState(0);
  const changes = changedSettings(draft, user);
  const count = Object.keys(changes).length;
  const needsPassword = needsPasswordAgain(draft, user);
  useSessionDraft("settings", {
    take() {
      const { openaiApiKey, wordpressPassword, ...plain } = changes;
      if (openaiApiKey || wordpressPassword) return NOT_STORABLE;
      return Object.keys(plain).length > 0 ? plain : null;
    },
    restore(stored) {
      const restored = restoreDraft(stored, draft);
      setDraft(restored);
      return Object.keys(changedSettings(restored, user)).length > 0;
    },
  });

  function change(part: Partial<SettingsDraft>) {
    setDraft((now) => ({ ...now, ...part }));
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    // A save without changes sends a stored value again, and gets the usual toast.
    const parsed = await check(count > 0 ? changes : { wordpressUsername: user.wordpressUsername });
    if (!parsed) return;
    const missing = needsPassword && !draft.wordpressPassword ? { wordpressPassword: [PASSWORD_AGAIN] } : null;
    setErrors({ ...parsed.errors, ...missing });
    if (!parsed.data || missing) return focusFirstError(form);
    save.mutate(parsed.data, {
      onSuccess: (saved) => {
        setDraft(draftOf(saved));
        setSaves((n) => n + 1);
      },
      onError: (error) => {
        setErrors(fieldErrorsOf(error));
        focusFirstError(form);
      },
    });
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      onFocus={warm}
      aria-labelledby="api-settings"
      autoComplete="off"
      className="mt-6"
    >
      <LeaveGuard active={count > 0} onLeave={() => setDraft(draftOf(user))} />
      <h2 id="api-settings" className="mb-4 font-medium text-md tracking-[-0.006em]">
        API Settings
      </h2>
      <SettingsGroup
        title="AI provider"
        about="Suggestions, outlines and drafts run on your own key. It is sealed when you save and never shown again."
      >
        <div className="grid gap-2">
          <SecretField
            key={`key-${saves}`}
            label="AI provider API key"
            stored={user.hasOpenaiApiKey}
            hint={user.openaiApiKeyHint}
            value={draft.openaiApiKey}
            onChange={(openaiApiKey) => change({ openaiApiKey })}
            error={errors.openaiApiKey}
            placeholder="sk-…"
          />
          <ApiKeyLink />
        </div>
      </SettingsGroup>
      <SettingsGroup
        title="Blogging site"
        about="Where your pieces are published. Each topic becomes a category there. WordPress asks for an application password, not the one you sign in with."
      >
        <Field
          label="Blogging-site URL"
          error={errors.wordpressUrl}
          hint={
            user.wordpressUrl && !draft.wordpressUrl.trim()
              ? "Saving without a URL removes username and password too."
              : undefined
          }
        >
          <Input
            type="url"
            inputMode="url"
            placeholder="https://blog.example.com"
            value={draft.wordpressUrl}
            onChange={(event) => change({ wordpressUrl: event.target.value })}
          />
        </Field>
        <ConnectWordPress
          connect={connect}
          input={{ url: draft.wordpressUrl.trim() }}
          hasOtherChanges={changes.openaiApiKey !== undefined || changes.wordpressPassword !== undefined}
        />
        <Field label="Blogging-site username" error={errors.wordpressUsername}>
          <Input
            autoCapitalize="none"
            spellCheck={false}
            autoComplete="off"
            value={draft.wordpressUsername}
            onChange={(event) => change({ wordpressUsername: event.target.value })}
          />
        </Field>
        <div className="grid gap-2">
          <SecretField
            key={`password-${saves}`}
            label="Blogging-site password"
            stored={user.hasWordpressPassword}
            value={draft.wordpressPassword}
            onChange={(wordpressPassword) => change({ wordpressPassword })}
            error={errors.wordpressPassword}
            placeholder={needsPassword ? "Enter the password again" : undefined}
            help={needsPassword && !errors.wordpressPassword ? PASSWORD_AGAIN : undefined}
            mustType={needsPassword}
          />
          <ApplicationPasswordLink
            site={draft.wordpressUrl}
            page={connect.variables?.url === draft.wordpressUrl.trim() ? connect.data?.passwordsPage : undefined}
          />
        </div>
        <TestConnection user={user} unsaved={count > 0} />
      </SettingsGroup>
      <SettingsGroup>
        <PageActions
          // On phones the bar ends with this form, below which the page continues.
          className="gap-x-4 max-md:tall:sticky max-md:tall:-mx-(--gutter) max-md:tall:w-auto"
          actions={[{ label: "Save Settings", type: "submit", pending: isChecking || save.isPending, isMain: true }]}
          status={
            <span role="status" className="text-muted-foreground text-sm max-md:sr-only">
              {count === 0 ? "" : `${count} unsaved ${count === 1 ? "change" : "changes"}`}
            </span>
          }
        />
      </SettingsGroup>
    </form>
  );
}
