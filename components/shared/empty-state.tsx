import type { ReactNode } from "react";
import { Caret } from "@/components/shared/caret";

/** Stands in for an empty list: one sentence, what it means, one action. */
export function EmptyState({
  title,
  description,
  action,
}: {
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-start gap-6 border-t pt-10 pb-12">
      <div className="grid gap-2">
        <p className="max-w-[25em] text-balance font-serif text-xl tracking-[-0.008em]">
          {title}
          <Caret />
        </p>
        {description ? <p className="max-w-[60ch] text-muted-foreground">{description}</p> : null}
      </div>
      {action}
    </div>
  );
}
