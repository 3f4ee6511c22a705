"use client";

import type { ReactNode } from "react";
import { type Readiness, useReadyPress } from "@/components/content/readiness";
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
  readiness,
  open,
  onOpenChange,
  onConfirm,
}: {
  projectId: number;
  verb: keyof typeof WORDS;
  what: Piece | { count: number };
  /** What else there is to say before the press. */
  body?: ReactNode;
  /** What may be unfinished; it is in `body`. A piece that is not ready is published only "anyway". */
  readiness?: Pick<Readiness, "isPending" | "holding">;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}) {
  const { name: site } = useSiteOfProject(projectId, open);
  const { label, done, effect } = WORDS[verb];
  const isHeld = (readiness?.holding ?? 0) > 0;
  const isOne = "title" in what;
  const ready = useReadyPress(readiness ?? READY, confirm);
  if (verb === "publish" && isOne && isScheduled(what)) {
    return (
      <ScheduledDialog
        site={site}
        piece={what}
        body={body}
        isHeld={isHeld}
        pending={ready.isWaiting}
        open={open}
        onOpenChange={change}
        onConfirm={ready.press}
      />
    );
  }

  function change(isOpen: boolean) {
    ready.forget();
    onOpenChange(isOpen);
  }
  function confirm() {
    onOpenChange(false);
    onConfirm();
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={change}
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
      confirmLabel={isHeld ? "Publish anyway" : isOne ? label : `${label} Selected`}
      pending={ready.isWaiting}
      destructive={verb === "unpublish"}
      onConfirm={ready.press}
    />
  );
}

/** Asks whether a post goes live that the site would publish later. */
function ScheduledDialog({
  site,
  piece: { title, wpPostDate },
  isHeld,
  ...question
}: {
  site: string;
  piece: Piece;
  body: ReactNode;
  isHeld: boolean;
  pending: boolean;
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
      confirmLabel={isHeld ? "Publish anyway" : "Publish now"}
      cancelLabel="Leave it scheduled"
    />
  );
}

/** Of a change that holds nothing. */
const READY = { isPending: false, holding: 0 };

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
