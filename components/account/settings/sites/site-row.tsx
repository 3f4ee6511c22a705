"use client";

import { ExternalLink, Pencil, PlugZap, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import { SiteDialog } from "@/components/account/settings/sites/site-dialog";
import { TestResult } from "@/components/account/settings/test-connection";
import { ActionMenu } from "@/components/shared/action-menu";
import type { MenuAction } from "@/components/shared/action-menu-panel";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { LocalTime } from "@/components/shared/local-time";
import { textLink } from "@/components/shared/text-link";
import { Badge } from "@/components/ui/badge";
import { useRemoveSite, useTestSite, useUpdateSite } from "@/lib/features/sites/client";
import { isConnected } from "@/lib/features/sites/rules";
import type { SiteOut } from "@/lib/features/sites/schema";

/** A site with its actions, and below it the result of its last test. */
export function SiteRow({ site }: { site: SiteOut }) {
  const [openDialog, setOpenDialog] = useState<"edit" | "remove" | null>(null);
  const test = useTestSite(site.id);
  const update = useUpdateSite(site.id);
  const remove = useRemoveSite();
  const close = () => setOpenDialog(null);
  const { name, url, isDefault } = site;
  return (
    <li className="grid min-w-0 gap-3 border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex min-w-0 items-start gap-3">
        <div className="grid min-w-0 flex-1 gap-y-0.5">
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="wrap-anywhere font-medium">{name}</bdi>
            {isDefault ? <Badge variant="plain">Default</Badge> : null}
            {isConnected(site) ? null : <Badge variant="warning">Not connected</Badge>}
          </span>
          {url ? (
            <a href={url} target="_blank" rel="noreferrer" className={`${textLink} w-fit wrap-anywhere text-sm`}>
              {url.replace(/^https?:\/\//, "")}
              <ExternalLink aria-hidden="true" className="ml-1 inline size-3.5 align-[-2px]" />
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          ) : null}
          <Facts site={site} />
        </div>
        <ActionMenu
          label={`Actions for ${name}`}
          isBusy={test.isPending || update.isPending}
          className="-mt-1"
          actions={actionsOf(site, {
            test: () => test.mutate(undefined),
            edit: () => setOpenDialog("edit"),
            makeDefault: () => update.mutate({ isDefault: true }),
            remove: () => setOpenDialog("remove"),
          })}
        />
      </div>
      <TestResult test={test} />
      <SiteDialog site={site} open={openDialog === "edit"} onOpenChange={close} />
      <ConfirmDialog
        open={openDialog === "remove"}
        onOpenChange={close}
        title="Remove this site?"
        description={
          <>
            “<bdi>{name}</bdi>” is no longer connected, and its password is deleted here. Nothing is deleted on the
            site, and what is known of its posts is kept: add it again, and they are managed from here again.
          </>
        }
        confirmLabel="Remove"
        destructive
        pending={remove.isPending}
        onConfirm={() => remove.mutate(site, { onSettled: close })}
      />
    </li>
  );
}

type Verbs = Record<"test" | "edit" | "makeDefault" | "remove", () => void>;

function actionsOf(site: SiteOut, verbs: Verbs): MenuAction[] {
  const needsConnection = isConnected(site) ? {} : { inert: true, note: "Enter address, username and password first" };
  return [
    { ...needsConnection, label: "Test connection", icon: <PlugZap aria-hidden="true" />, onSelect: verbs.test },
    { label: "Edit", icon: <Pencil aria-hidden="true" />, onSelect: verbs.edit },
    ...(site.isDefault
      ? []
      : [
          { ...needsConnection, label: "Make default", icon: <Star aria-hidden="true" />, onSelect: verbs.makeDefault },
        ]),
    { label: "Remove", destructive: true, icon: <Trash2 aria-hidden="true" />, onSelect: verbs.remove },
  ];
}

/** What is known of the site; the rest is left out. */
function Facts({ site: { version, role, projects, isDefault, lastContactAt } }: { site: SiteOut }) {
  return (
    <span className="flex flex-wrap gap-x-4 text-muted-foreground text-sm tabular-nums">
      {version ? <span>WordPress {version}</span> : null}
      {role ? <span>Role: {role}</span> : null}
      <span>{projectsOf(projects, isDefault)}</span>
      <span className="min-h-5">
        {lastContactAt ? <LocalTime before="Last contact " at={lastContactAt} style="ago" /> : "Not reached yet"}
      </span>
    </span>
  );
}

/** Projects without a site of their own follow the default one; how many do is not known here. */
function projectsOf(projects: number, isDefault: boolean): string {
  const count = projects === 0 ? "No projects" : `${projects} ${projects === 1 ? "project" : "projects"}`;
  if (!isDefault) return count;
  return projects === 0 ? "Projects without posts" : `${count}, and those without posts`;
}
