"use client";

import { type FormEvent, useState } from "react";
import { ConnectWordPress } from "@/components/account/settings/connect-wordpress";
import { ApplicationPasswordLink } from "@/components/account/settings/secret-links";
import { DialogFormFooter } from "@/components/shared/dialog-footers";
import { Field } from "@/components/shared/field";
import { FormDialog } from "@/components/shared/form-dialog";
import { Notice } from "@/components/shared/notice";
import { Required } from "@/components/shared/required";
import { useFormSubmit } from "@/components/shared/use-form-submit";
import { Input } from "@/components/ui/input";
import { detailOf, errorText, fieldErrorsOf } from "@/lib/client/api";
import type { FieldErrors } from "@/lib/client/form";
import { useAddSite, useUpdateSite } from "@/lib/features/sites/client";
import { useConnectSite } from "@/lib/features/sites/connecting/client";
import { addSiteInput, type SiteOut, updateSiteInput } from "@/lib/features/sites/schema";

/** Loaded when components/account/settings/sites/site-dialog.tsx is first opened. Without a `site` it adds one. */
export function SiteForm({
  site,
  open,
  onOpenChange,
}: {
  site: SiteOut | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const close = () => onOpenChange(false);
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      draftName={`site:${site?.id ?? "new"}`}
      title={site ? "Edit Site" : "Add Site"}
      description={
        site
          ? "Its projects and posts stay with it, whatever you change here."
          : "The address and password are tried before the site is added. Nothing is written there."
      }
    >
      {site ? <EditFields site={site} onDone={close} /> : <AddFields onDone={close} />}
    </FormDialog>
  );
}

function AddFields({ onDone }: { onDone: () => void }) {
  const add = useAddSite();
  const { submit, errors } = useFormSubmit(addSiteInput, add.mutate, onDone);
  const isRefused = add.error !== null && Object.keys(fieldErrorsOf(add.error)).length === 0;
  return (
    <form noValidate onSubmit={submit} autoComplete="off" className="grid gap-5">
      <Fields site={null} errors={errors} />
      {isRefused ? (
        <Notice live variant="destructive" title="The site was not added">
          <p>{errorText(add.error, "The server did not answer. Please try again.")}</p>
          {detailOf(add.error) ? <p>{detailOf(add.error)}</p> : null}
        </Notice>
      ) : null}
      <DialogFormFooter pending={add.isPending}>Add Site</DialogFormFooter>
    </form>
  );
}

function EditFields({ site, onDone }: { site: SiteOut; onDone: () => void }) {
  const update = useUpdateSite(site.id);
  const { submit, errors } = useFormSubmit(updateSiteInput, update.mutate, onDone);

  function submitChanges(event: FormEvent<HTMLFormElement>) {
    const changes = changesOf(new FormData(event.currentTarget), site);
    if (Object.keys(changes).length > 0) return submit(event, changes);
    event.preventDefault();
    onDone();
  }

  return (
    <form noValidate onSubmit={submitChanges} autoComplete="off" className="grid gap-5">
      <Fields site={site} errors={errors} />
      <DialogFormFooter pending={update.isPending}>Save Site</DialogFormFooter>
    </form>
  );
}

/** The stored password stays unless another one is typed. */
function changesOf(form: FormData, site: SiteOut): Record<string, FormDataEntryValue> {
  const stored: Record<string, string> = { name: site.name, url: site.url ?? "", username: site.username ?? "" };
  return Object.fromEntries([...form].filter(([field, value]) => value !== (stored[field] ?? "")));
}

function Fields({ site, errors }: { site: SiteOut | null; errors: FieldErrors }) {
  const connect = useConnectSite();
  const [name, setName] = useState(site?.name ?? "");
  const [typedUrl, setUrl] = useState(site?.url ?? "");
  const [hasPassword, setHasPassword] = useState(false);
  const url = typedUrl.trim();
  const needsPassword = !site?.hasPassword;
  return (
    <>
      <Field
        label="Name"
        error={errors.name}
        hint="What it is called here. Without a name it is called by its address."
      >
        <Input
          name="name"
          dir="auto"
          autoComplete="off"
          defaultValue={site?.name}
          placeholder="Optional"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label="Address" error={errors.url} action={<Required />}>
        <Input
          name="url"
          type="url"
          inputMode="url"
          required
          placeholder="https://blog.example.com"
          defaultValue={site?.url ?? ""}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <ConnectWordPress
        connect={connect}
        input={site ? { url, target: site.id } : { url, target: "new", name }}
        hasOtherChanges={hasPassword || (site !== null && name !== site.name)}
      />
      <Field label="WordPress username" error={errors.username} action={<Required />}>
        <Input
          name="username"
          required
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="off"
          defaultValue={site?.username ?? ""}
        />
      </Field>
      <div className="grid gap-2">
        <Field
          label="Application password"
          error={errors.password}
          hint={needsPassword ? undefined : "Leave it empty to keep the stored one. A new address needs it again."}
          action={needsPassword ? <Required /> : null}
        >
          <Input
            name="password"
            type="password"
            required={needsPassword}
            // Keeps password managers from filling in the account's own password.
            autoComplete="new-password"
            spellCheck={false}
            onChange={(event) => setHasPassword(event.target.value !== "")}
          />
        </Field>
        <ApplicationPasswordLink
          site={url}
          page={connect.variables?.url === url ? connect.data?.passwordsPage : undefined}
        />
      </div>
    </>
  );
}
