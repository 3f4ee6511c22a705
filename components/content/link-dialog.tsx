"use client";

import { useQuery } from "@tanstack/react-query";
import { Copy, ExternalLink, Unlink } from "lucide-react";
import { useState } from "react";
import { AddressField, useTypedAddress } from "@/components/content/address-field";
import { Field } from "@/components/shared/field";
import { type LinkParts, type LinkTarget, linkAddress } from "@/components/shared/markdown-editor/link-target";
import { openableLink } from "@/components/shared/markdown-editor/web-address";
import { ModalContent } from "@/components/shared/modal-content";
import { useDebounced } from "@/components/shared/use-debounced";
import { Button } from "@/components/ui/button";
import { Dialog, DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { copyText } from "@/lib/client/copy-text";
import { librarySearchQuery } from "@/lib/features/content/client";
import type { ContentSummary } from "@/lib/features/content/schema";

/** Asks for the text and the address of a link: one of the web, or a piece of the user's that is live. */
export function LinkDialog({
  open,
  onOpenChange,
  target,
  onTake,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  target: LinkTarget;
  /** Null removes the link and leaves its text. */
  onTake: (parts: LinkParts | null) => void;
}) {
  const [text, setText] = useState(target.text);
  const asked = useTypedAddress(target.address, linkAddress, SAYS);
  const { typed, address } = asked;

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="md:max-w-lg">
        <DialogHeader>
          <DialogTitle>{target.isThere ? "Edit link" : "Add link"}</DialogTitle>
          <DialogDescription>Paste an address, or search your pieces by title.</DialogDescription>
        </DialogHeader>
        <form
          onSubmit={asked.submit((address) => onTake({ text, address, title: target.title }))}
          className="grid grid-cols-1 gap-4"
        >
          <AddressField of={asked} />
          <OwnPieces
            typed={address === undefined ? typed.trim() : ""}
            onChoose={({ title, wpPermalink }) => {
              asked.type(wpPermalink ?? "");
              if (text.trim() === "") setText(title);
              asked.field.current?.focus();
            }}
          />
          <Field label="Text" hint={text.trim() === "" ? "If this is empty, readers see the address." : undefined}>
            <Input dir="auto" autoComplete="off" value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
          {target.isThere ? <LinkActions address={address} onRemove={() => onTake(null)} /> : null}
          <DialogFooter>
            <Button type="submit">{target.isThere ? "Save link" : "Add link"}</Button>
          </DialogFooter>
        </form>
      </ModalContent>
    </Dialog>
  );
}

const SAYS = {
  none: "Paste an address, or choose one of your pieces.",
  wrong: "This is not an address. Addresses look like example.com/page, name@example.com or #heading.",
};

function LinkActions({ address, onRemove }: { address: string | undefined; onRemove: () => void }) {
  const opened = address === undefined ? null : openableLink(address);
  return (
    <div className="-mx-2.5 flex flex-wrap gap-1">
      {opened ? (
        <Button asChild variant="ghost" size="sm">
          <a href={opened} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden="true" />
            Open
          </a>
        </Button>
      ) : null}
      {address === undefined ? null : (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => void copyText(address, { done: "Address copied", subject: "link" })}
        >
          <Copy aria-hidden="true" />
          Copy
        </Button>
      )}
      <Button variant="ghost" size="sm" onClick={onRemove}>
        <Unlink aria-hidden="true" />
        Remove link
      </Button>
    </div>
  );
}

/** Pieces with the typed words in their titles, the live ones first; the others cannot be linked yet. */
function OwnPieces({ typed, onChoose }: { typed: string; onChoose: (piece: ContentSummary) => void }) {
  const search = useDebounced(typed);
  const isAsked = search.length > 1 && typed !== "";
  const { data, isError } = useQuery({ ...librarySearchQuery(search), enabled: isAsked });
  if (!isAsked) return null;
  if (isError) return <p className="text-muted-foreground text-sm">Your pieces could not be searched.</p>;
  if (!data) return null;
  const words = search.toLocaleLowerCase();
  const titled = data.filter(({ title }) => title.toLocaleLowerCase().includes(words));
  const found = titled.toSorted((a, b) => Number(Boolean(b.wpPermalink)) - Number(Boolean(a.wpPermalink)));
  if (found.length === 0)
    return <p className="text-muted-foreground text-sm">None of your titles contains these words.</p>;
  return (
    <section aria-label="Your pieces" className="max-h-[30dvh] overflow-y-auto">
      <ul className="grid grid-cols-1">
        {found.map((piece) => (
          <li key={piece.id}>
            <Button
              variant="ghost"
              className="h-auto min-h-(--control) w-full justify-between gap-4 whitespace-normal px-2.5 py-1.5 text-start font-normal"
              disabled={!piece.wpPermalink}
              onClick={() => onChoose(piece)}
            >
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {piece.title}
              </span>
              {piece.wpPermalink ? null : <span className="text-muted-foreground text-sm">not live yet</span>}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
