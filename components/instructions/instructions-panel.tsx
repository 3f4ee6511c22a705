"use client";

import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { type As, InstructionRow } from "@/components/instructions/instruction-row";
import type { TextField } from "@/components/instructions/put-into-field";
import { SaveTyped } from "@/components/instructions/save-typed";
import { ErrorState } from "@/components/shared/error-state";
import { FieldError } from "@/components/shared/field";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Spinner } from "@/components/ui/spinner";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { instructionsQuery, useDeleteInstruction } from "@/lib/features/instructions/client";

/** The row that is open. */
export type Opened = { id: number; as: As };

/** Shows the saved instructions to choose from, and below them what was typed, to be saved. */
export function InstructionsPanel({
  field,
  opened,
  onOpen,
  problem,
  onPut,
}: {
  field: RefObject<TextField | null>;
  opened: Opened | null;
  onOpen: (opened: Opened | null) => void;
  /** Why the last one chosen was not put into the field. */
  problem: string | undefined;
  onPut: (text: string) => void;
}) {
  const { data, error, isFetching, refetch } = useOptimisticQuery(instructionsQuery());
  const remove = useDeleteInstruction();
  const list = useRef<HTMLUListElement>(null);
  // The field cannot change while this is open.
  const [typed] = useState(() => field.current?.value ?? "");

  const isLoaded = data !== undefined;
  const wasLoaded = useRef(isLoaded);
  useLayoutEffect(() => {
    // Radix gave the focus to what there was before the list.
    if (isLoaded && !wasLoaded.current) list.current?.querySelector<HTMLElement>("[data-choice]")?.focus();
    wasLoaded.current = isLoaded;
  }, [isLoaded]);

  function confirmDelete(id: number, row: HTMLElement | null) {
    // The focus moves before the row goes, which would lose it.
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    neighbour?.querySelector("button")?.focus();
    onOpen(null);
    remove.mutate(id);
  }

  function moveByArrow(event: KeyboardEvent) {
    const step = STEPS[event.key];
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[data-choice]") ?? [])];
    const at = all.indexOf(event.target as HTMLElement);
    if (!step || at < 0) return;
    event.preventDefault();
    all[step(at, all.length)]?.focus();
  }

  return (
    <>
      <p className="px-2 pt-1 text-muted-foreground text-sm">
        {data?.length ? "Choose one to add it to the field." : "Instructions to use again in any text or project."}
      </p>
      <ScrollRegion className="min-h-0">
        {data ? null : error ? (
          <ErrorState
            title="Your saved instructions did not load"
            error={error}
            pending={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <p role="status" className="flex min-h-11 items-center gap-2 px-2 text-muted-foreground">
            <Spinner /> Loading your saved instructions
          </p>
        )}
        {data?.length === 0 ? (
          <p className="px-2 py-2">No saved instructions yet. Type one in the field, then save it here.</p>
        ) : null}
        {data?.length ? (
          <ul ref={list} aria-label="Saved instructions" onKeyDown={moveByArrow}>
            {data.map((instruction) => (
              <InstructionRow
                key={instruction.id}
                instruction={instruction}
                opened={opened?.id === instruction.id ? opened.as : null}
                isOff={opened?.as === "edit" && opened.id !== instruction.id}
                onOpen={(as) => onOpen(as && { id: instruction.id, as })}
                onPut={() => onPut(instruction.text)}
                onDelete={(row) => confirmDelete(instruction.id, row)}
              />
            ))}
          </ul>
        ) : null}
      </ScrollRegion>
      <div className="grid gap-2 border-t px-2 pt-2">
        {problem ? <FieldError>{problem}</FieldError> : null}
        <SaveTyped typed={typed} saved={data} />
      </div>
    </>
  );
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};
