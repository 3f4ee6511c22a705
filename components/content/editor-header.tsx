"use client";

import { CloudOff, Globe, RefreshCw } from "lucide-react";
import { useState } from "react";
import { PublishAnywayDialog } from "@/components/content/publish-anyway-dialog";
import { ReasonButton } from "@/components/content/reason-button";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { FactBadge } from "@/components/shared/fact-badge";
import { StatusBadge } from "@/components/shared/status-badge";
import { Button } from "@/components/ui/button";
import type { ContentOut } from "@/lib/features/content/schema";
import {
  isRemoteChanged,
  usePublishContent,
  useSyncContent,
  useUnpublishContent,
} from "@/lib/features/publishing/client";
import { isBlank } from "@/lib/utils/text";

/** Where the piece stands, and what is done with it as a whole. `isQuiet`: another button is the main one just now. */
export function EditorHeader({
  piece,
  editor,
  isQuiet,
}: {
  piece: ContentOut;
  editor: ContentEditorState;
  isQuiet: boolean;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <StatusBadge status={piece.status} />
        <FactBadge>{piece.isTitleOnly ? "Only Title" : "Content Created"}</FactBadge>
        {piece.isOutline ? <FactBadge>Outline</FactBadge> : null}
        <span role="status" className="whitespace-nowrap text-muted-foreground text-sm">
          {editor.isDirty ? (
            <span className="ml-1 inline-flex items-center gap-2">
              <span aria-hidden="true" className="size-1.5 rounded-full bg-warning" />
              Unsaved changes
            </span>
          ) : null}
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-md:w-full max-md:[&>*]:flex-1">
        <SyncButton piece={piece} />
        <SiteButton piece={piece} editor={editor} />
        <Button variant={isQuiet ? "outline" : "default"} pending={editor.isSaving} onClick={editor.saveChanges}>
          Save Changes
        </Button>
      </div>
    </div>
  );
}

function SyncButton({ piece }: { piece: ContentOut }) {
  const sync = useSyncContent();
  return (
    <Button
      variant="ghost"
      disabled={!piece.wpPostId}
      title={piece.wpPostId ? undefined : "Not on WordPress yet"}
      pending={sync.isPending}
      onClick={() => sync.mutate(piece)}
    >
      <RefreshCw aria-hidden="true" />
      Sync Status
    </Button>
  );
}

/**
 * One button for both ways, so that it keeps the focus when the other begins. Publishing saves what is unsaved first:
 * what is on the screen is what goes out.
 */
function SiteButton({ piece, editor }: { piece: ContentOut; editor: ContentEditorState }) {
  const [isAsking, setAsking] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const publish = usePublishContent();
  const unpublish = useUnpublishContent();
  const isLive = piece.status === "wp_published";

  async function start() {
    if (isStarting || publish.isPending) return;
    setStarting(true);
    const saved = await editor.saveAll();
    setStarting(false);
    if (!saved) return;
    publish.mutate({ piece }, { onError: (error) => (isRemoteChanged(error) ? setAsking(true) : undefined) });
  }

  return (
    <>
      <ReasonButton
        variant="outline"
        refused={!isLive && isBlank(editor.fields.body) && "Write a body first"}
        pending={isStarting || unpublish.isPending || (publish.isPending && !isAsking)}
        onClick={isLive ? () => unpublish.mutate(piece) : start}
      >
        {isLive ? <CloudOff aria-hidden="true" /> : <Globe aria-hidden="true" />}
        {isLive ? "Unpublish from WordPress" : "Publish to WordPress"}
      </ReasonButton>
      <PublishAnywayDialog
        open={isAsking}
        onOpenChange={setAsking}
        pending={publish.isPending}
        onConfirm={() => publish.mutate({ piece, force: true }, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}
