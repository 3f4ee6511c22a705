import { type RefObject, useId, useRef, useState } from "react";
import { afterRender } from "@/components/shared/focus-return";
import { Button } from "@/components/ui/button";
import { type Loss, MAX_LOSSES } from "@/lib/markdown/losses";

/** Losses that are listed at first. */
const FEW = 5;

/** What readers will not get of a text. A press on one leads to its place. */
export function LossList({
  losses,
  heading,
  onGoTo,
}: {
  losses: Loss[];
  heading: RefObject<HTMLHeadingElement | null>;
  onGoTo: (position: number) => void;
}) {
  const headingId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? losses : losses.slice(0, FEW);

  function showAll() {
    setWhole(true);
    // The pressed button is gone: reading goes on with what is new.
    afterRender(() => list.current?.children.item(FEW)?.querySelector("button")?.focus());
  }

  return (
    <section aria-labelledby={headingId} className="py-1 text-foreground text-sm">
      <h2 ref={heading} id={headingId} tabIndex={-1} className="w-fit rounded-xs font-medium">
        What will not appear
      </h2>
      <ul ref={list} className="mt-1 grid grid-cols-1">
        {shown.map(({ sentence, position }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two losses may have the same words and place.
          <li key={index}>
            <button
              type="button"
              onClick={() => onGoTo(position)}
              className="-mx-2 min-h-(--control-sm) rounded-sm px-2 py-1 text-start text-muted-foreground underline decoration-border-strong underline-offset-3 wrap-anywhere hover:bg-hover hover:text-foreground"
            >
              {sentence}
            </button>
          </li>
        ))}
      </ul>
      {losses.length > shown.length ? (
        <Button variant="ghost" size="sm" className="-ml-2.5" onClick={showAll}>
          Show all {losses.length}
        </Button>
      ) : null}
      {losses.length >= MAX_LOSSES ? (
        <p className="mt-1 text-muted-foreground">The first {MAX_LOSSES} are listed.</p>
      ) : null}
    </section>
  );
}
