"use client";

import type { ReactNode } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { LocalTime } from "@/components/shared/local-time";
import type { ContentOut } from "@/lib/features/content/schema";
import { isScheduled } from "@/lib/features/publishing/states";
import { useSiteOfProject } from "@/lib/features/sites/client";

type Piece = { title: string } & Partial<Pick<ContentOut, "wpPostStatus" | "wpPostDate">>;

/** Asks before a press changes what readers find on the project's site: one piece by its title, or a number of selected ones. */
export function SiteChangeDialog({
  projectId,
  verb,
  what,
  body,
  open,
  onOpenChange,
  onConfirm,
}: {
  projectId: number;
  verb: keyof typeof WORDS;
  what: Piece | { count: number };
  /** What else there is to say before the press. */
  body?: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}) {
  const { name: site } = useSiteOfProject(projectId, open);
  const { label, done, effect } = WORDS[verb];
  const isOne = "title" in what;
  if (verb === "publish" && isOne && isScheduled(what)) {
    return (
      <ScheduledDialog
        site={site}
        piece={what}
        body={body}
        open={open}
        onOpenChange={onOpenChange}
        onConfirm={confirm}
      />
    );
  }

  function confirm() {
    onOpenChange(false);
    onConfirm();
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isOne ? `${label} this piece?` : `${label} selected content?`}
      description={
        <>
          {isOne ? (
            <>
              “<bdi>{what.title}</bdi>”
            </>
          ) : (
            `${what.count.toLocaleString("en-US")} selected ${what.count === 1 ? "piece" : "pieces"}`
          )}{" "}
          will be {done} <bdi>{site}</bdi>. {effect}
        </>
      }
      body={body}
      confirmLabel={isOne ? label : `${label} Selected`}
      destructive={verb === "unpublish"}
      onConfirm={confirm}
    />
  );
}

/** Asks whether a post goes live that the site would publish later. */
function ScheduledDialog({
  site,
  piece: { title, wpPostDate },
  ...question
}: {
  site: string;
  piece: Piece;
  body: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}) {
  return (
    <ConfirmDialog
      {...question}
      title="Publish this piece now?"
      description={
        <>
          “<bdi>{title}</bdi>” is scheduled on <bdi>{site}</bdi>
          {wpPostDate ? <LocalTime before=" for " at={wpPostDate} style="short" /> : null}. If you publish it now,
          readers will see it at once.
        </>
      }
      confirmLabel="Publish now"
      cancelLabel="Leave it scheduled"
    />
  );
}

const AT_ONCE = "Readers will see it at once.";

const WORDS = {
  publish: { label: "Publish", done: "published on", effect: AT_ONCE },
  update: { label: "Update", done: "updated on", effect: AT_ONCE },
  unpublish: {
    label: "Unpublish",
    done: "unpublished from",
    effect: "Readers will get a page that is not found. Nothing is deleted: it becomes a WordPress Draft.",
  },
};
