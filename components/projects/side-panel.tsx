"use client";

import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

/** A part beside the project's topics. Without `onEdit` there is nothing to edit yet. */
export function SidePanel({
  id,
  title,
  onEdit,
  children,
}: {
  /** Id of its heading. */
  id: string;
  title: string;
  onEdit: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id}>
      <div className="mb-3 flex min-h-(--control) items-center justify-between gap-3">
        <h2 id={id} className="font-medium text-md tracking-[-0.006em]">
          {title}
        </h2>
        {onEdit ? (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Edit ${title.toLowerCase()}`}
            className="-mr-1.5 max-md:-mr-3.5"
            onClick={onEdit}
          >
            <Pencil aria-hidden="true" strokeWidth={1.75} />
          </Button>
        ) : null}
      </div>
      {children}
    </section>
  );
}

/** What the part is for, and the button that begins it. */
export function EmptyPanel({ children, icon, action, onStart }: EmptyProps) {
  return (
    <div className="grid justify-items-start gap-4 border-t pt-5">
      <p className="text-muted-foreground">{children}</p>
      <Button variant="outline" onClick={onStart}>
        {icon}
        {action}
      </Button>
    </div>
  );
}

type EmptyProps = { children: ReactNode; icon: ReactNode; action: string; onStart: () => void };
