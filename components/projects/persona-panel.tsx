"use client";

import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { PersonaCard } from "@/components/projects/persona-card";
import { ErrorState } from "@/components/shared/error-state";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { personaQuery } from "@/lib/features/projects/client";

const PersonaDialog = lazyDialog(() =>
  import("@/components/projects/persona-dialog").then((module) => module.PersonaDialog),
);

/** The project's buyer persona, or a button to add one. */
export function PersonaPanel({ projectId }: { projectId: number }) {
  const { data: persona, isPending, error, refetch, isFetching } = useQuery(personaQuery(projectId));
  const [isOpen, setOpen] = useState(false);

  return (
    <section aria-labelledby="persona-title">
      <div className="mb-3 flex min-h-(--control) items-center justify-between gap-3">
        <h2 id="persona-title" className="font-medium text-md tracking-[-0.006em]">
          Buyer Persona
        </h2>
        {persona ? (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Edit buyer persona"
            className="max-md:-mr-3.5"
            onClick={() => setOpen(true)}
          >
            <Pencil aria-hidden="true" strokeWidth={1.75} />
          </Button>
        ) : null}
      </div>
      {isPending ? (
        <div role="status" className="grid gap-3 rounded-md border bg-card p-5">
          <span className="sr-only">Loading the buyer persona</span>
          <Skeleton className="h-6 w-1/2" />
          <Skeleton className="h-20 w-full" />
        </div>
      ) : error && persona === undefined ? (
        <ErrorState
          title="The buyer persona did not load"
          error={error}
          pending={isFetching}
          onRetry={() => refetch()}
        />
      ) : persona ? (
        <PersonaCard persona={persona} />
      ) : (
        <div className="grid justify-items-start gap-4 border-t pt-5">
          <p className="text-muted-foreground">
            Who reads this? Ideas, outlines and texts are written for the person you describe here.
          </p>
          <Button variant="outline" onClick={() => setOpen(true)}>
            <Plus aria-hidden="true" />
            Add Buyer Persona
          </Button>
        </div>
      )}
      <PersonaDialog projectId={projectId} persona={persona ?? null} open={isOpen} onOpenChange={setOpen} />
    </section>
  );
}
