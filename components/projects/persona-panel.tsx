"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { PersonaCard } from "@/components/projects/persona-card";
import { EmptyPanel, SidePanel } from "@/components/projects/side-panel";
import { ErrorState } from "@/components/shared/error-state";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { personaQuery } from "@/lib/features/projects/client";

const PersonaDialog = lazyDialog(() =>
  import("@/components/projects/persona-dialog").then((module) => module.PersonaDialog),
);

/** The project's buyer persona, or a button to add one. */
export function PersonaPanel({ projectId }: { projectId: number }) {
  const { data: persona, isPending, error, refetch, isFetching } = useQuery(personaQuery(projectId));
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);

  return (
    <SidePanel id="persona-title" title="Buyer Persona" onEdit={persona ? open : undefined}>
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
        <EmptyPanel icon={<Plus aria-hidden="true" />} action="Add Buyer Persona" onStart={open}>
          Who reads this? Ideas, outlines and texts are written for the person you describe here.
        </EmptyPanel>
      )}
      <PersonaDialog projectId={projectId} persona={persona ?? null} open={isOpen} onOpenChange={setOpen} />
    </SidePanel>
  );
}
