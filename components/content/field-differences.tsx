"use client";

import { useId, useState } from "react";
import { Difference } from "@/components/shared/difference/difference";
import { Button } from "@/components/ui/button";

type Texts = { title: string; body: string; outline: string; status?: string };

const NAMES = { title: "Title", body: "Body", outline: "Outline", status: "Status" };

/** Two states of a piece, field by field; what is equal is left out. */
export function FieldDifferences({ old, text, names }: { old: Texts; text: Texts; names: [string, string] }) {
  const [layout, setLayout] = useState<"inline" | "side">("inline");
  const id = useId();
  const fields = (["title", "status", "body", "outline"] as const).filter(
    (field) => (old[field] ?? "").trim() !== (text[field] ?? "").trim(),
  );
  if (fields.length === 0) return <p className="text-muted-foreground">Both are the same.</p>;
  return (
    <div className="grid min-w-0 gap-4">
      {/* On phones two columns would be too narrow. */}
      <div className="flex items-center justify-between gap-3">
        <p className="text-muted-foreground text-sm">
          <del>{names[0]}</del> → <ins className="decoration-2 decoration-success">{names[1]}</ins>
        </p>
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={layout === "side"}
          className="max-md:hidden"
          onClick={() => setLayout((now) => (now === "side" ? "inline" : "side"))}
        >
          Side by side
        </Button>
      </div>
      {fields.map((field) => (
        <section key={field} aria-labelledby={`${id}-${field}`} className="grid min-w-0 gap-1.5">
          <h3 id={`${id}-${field}`} className="font-medium text-sm">
            {NAMES[field]}
          </h3>
          <Difference old={old[field] ?? ""} text={text[field] ?? ""} names={names} layout={layout} />
        </section>
      ))}
    </div>
  );
}
