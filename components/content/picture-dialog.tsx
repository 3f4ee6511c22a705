"use client";

import { useState } from "react";
import { AddressField, useTypedAddress } from "@/components/content/address-field";
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
  const [text, setText] = useState(target.text);
  const [title, setTitle] = useState(target.title);
  const asked = useTypedAddress(target.address, pictureAddress, SAYS);
  const { address } = asked;

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="md:max-w-lg">
        <DialogHeader>
          <DialogTitle>{target.isThere ? "Edit picture" : "Add picture"}</DialogTitle>
          <DialogDescription>
            Paste the address of a picture on the web, such as one in your site's media library.
          </DialogDescription>
        </DialogHeader>
        <form onSubmit={asked.submit((address) => onTake({ text, address, title }))} className="grid grid-cols-1 gap-4">
          <AddressField of={asked} hint={address && willNotLast(address) ? FADES : undefined} />
          <Shown key={address} address={address} />
          <Field
            label="Alternative text"
            hint="Describes the picture to people who cannot see it. Leave it empty if the picture is only decoration."
          >
            <Input dir="auto" autoComplete="off" value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
          <Field label="Caption" hint="Readers see it under the picture if the picture stands alone in its paragraph.">
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

const SAYS = {
  none: "Paste the address of a picture.",
  wrong: "This is not a web address. Web addresses look like https://example.com/picture.jpg.",
};
const FADES = "This address expires within days. Upload the picture to your site and use its address there.";

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
