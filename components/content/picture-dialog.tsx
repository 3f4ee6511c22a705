"use client";

import { type FormEvent, useRef, useState } from "react";
import { Field } from "@/components/shared/field";
import { type LinkParts, type LinkTarget, pictureAddress } from "@/components/shared/markdown-editor/link-target";
import { shownImage } from "@/components/shared/markdown-editor/web-address";
import { ModalContent } from "@/components/shared/modal-content";
import { Button } from "@/components/ui/button";
import { Dialog, DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { willNotLast } from "@/lib/markdown/temporary-pictures";

/** Asks for the address of a picture on the web, for its alternative text and for its caption. */
export function PictureDialog({
  open,
  onOpenChange,
  target,
  onTake,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  target: LinkTarget;
  /** Null removes the picture. */
  onTake: (parts: LinkParts | null) => void;
}) {
  const [typed, setTyped] = useState(target.address);
  const [text, setText] = useState(target.text);
  const [title, setTitle] = useState(target.title);
  const [error, setError] = useState<string>();
  const addressField = useRef<HTMLInputElement>(null);
  const address = pictureAddress(typed);

  function submit(event: FormEvent) {
    event.preventDefault();
    // The form of the page around the dialog, if any, is not this one.
    event.stopPropagation();
    if (address !== undefined) return onTake({ text, address, title });
    setError(typed.trim() === "" ? NO_ADDRESS : NOT_AN_ADDRESS);
    addressField.current?.focus();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="md:max-w-lg">
        <DialogHeader>
          <DialogTitle>{target.isThere ? "Edit picture" : "Add picture"}</DialogTitle>
          <DialogDescription>
            Paste the address of a picture on the web, such as one in your site's media library.
          </DialogDescription>
        </DialogHeader>
        <form onSubmit={submit} className="grid grid-cols-1 gap-4">
          <Field label="Address" error={error} hint={address && willNotLast(address) ? FADES : undefined}>
            {(control) => (
              <Input
                {...control}
                ref={addressField}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                placeholder="https://…"
                value={typed}
                onChange={({ target }) => {
                  setTyped(target.value);
                  setError(undefined);
                }}
              />
            )}
          </Field>
          <Shown key={address} address={address} />
          <Field label="Alternative text" hint="What it shows, for those who cannot see it. Empty: it only decorates.">
            <Input dir="auto" autoComplete="off" value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
          <Field label="Caption" hint="Readers see it under the picture, if that stands alone in its paragraph.">
            <Input dir="auto" autoComplete="off" value={title} onChange={({ target }) => setTitle(target.value)} />
          </Field>
          <DialogFooter>
            {target.isThere ? (
              <Button variant="ghost" onClick={() => onTake(null)}>
                Remove picture
              </Button>
            ) : null}
            <Button type="submit">{target.isThere ? "Save picture" : "Add picture"}</Button>
          </DialogFooter>
        </form>
      </ModalContent>
    </Dialog>
  );
}

const NO_ADDRESS = "Paste the address of a picture.";
const NOT_AN_ADDRESS = "This is no address of the web. It looks like https://example.com/picture.jpg.";
const FADES = "This address ends within days. Upload the picture to your site, and use its address there.";

/** The picture, or that it does not load. */
function Shown({ address }: { address: string | undefined }) {
  const [isBroken, setBroken] = useState(false);
  const shown = address === undefined ? null : shownImage(address);
  if (!shown) return null;
  if (isBroken) return <p className="text-muted-foreground text-sm">No picture loads from this address.</p>;
  return (
    // biome-ignore lint/performance/noImgElement: it is of another site, at any size.
    <img
      src={shown}
      alt=""
      referrerPolicy="no-referrer"
      className="max-h-48 max-w-full justify-self-start rounded-md"
      onError={() => setBroken(true)}
    />
  );
}
