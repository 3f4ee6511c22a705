"use client";

import { useQuery } from "@tanstack/react-query";
import { CHIP, CHIP_TEXT, ChipCross } from "@/components/shared/chip";
import { useFocusHandover } from "@/components/shared/focus-return";
import { errorText, isNotFound } from "@/lib/client/api";
import type { LibraryFilters } from "@/lib/features/content/client";
import { topicQuery } from "@/lib/features/topics/client";
import { type PieceStep, STEP_NAMES } from "@/lib/features/topics/rules";
import { cn } from "@/lib/utils/cn";

/** The library's filters that only a link sets, each with a cross that clears it. */
export function LinkedFilters({
  filters: { topicId, step },
  onChange,
}: {
  filters: LibraryFilters;
  onChange: (change: Partial<LibraryFilters>) => void;
}) {
  const topic = useTopic(topicId);
  if (topicId === undefined && step === undefined) return null;
  return (
    <ul aria-label="Filters from a link" className="col-span-full flex min-w-0 flex-wrap gap-2">
      {topicId === undefined ? null : (
        <FilterChip label="Topic" value={topic.name} onClear={() => onChange({ topicId: undefined })} />
      )}
      {step === undefined ? null : (
        <FilterChip label="Step" value={STEP_NAMES[step].many} onClear={() => onChange({ step: undefined })} />
      )}
    </ul>
  );
}

function FilterChip({ label, value, onClear }: { label: string; value: string; onClear: () => void }) {
  const row = useFocusHandover<HTMLLIElement>();
  return (
    <li ref={row} className={CHIP}>
      <span className={cn(CHIP_TEXT, "pr-0")}>
        <span className="text-muted-foreground">{label}:</span> <bdi>{value}</bdi>
      </span>
      <ChipCross label={`Clear the filter ${label}: ${value}`} onClick={onClear} />
    </li>
  );
}

const NONE: Record<PieceStep, string> = {
  idea: "ideas without an outline",
  outline: "outlines without a text",
  text: "texts that are not live",
  live: "live pieces",
};

/** Says what a topic, a step or what is newer here lacks when the library finds nothing. */
export function NothingLinked({ filters: { topicId, step, newerHere, ...others } }: { filters: LibraryFilters }) {
  const topic = useTopic(topicId);
  if (topicId === undefined && step === undefined && !newerHere) return null;
  const hasOthers = Object.keys(others).length > 0;
  return (
    <span className="block wrap-anywhere">
      {topic.missing ?? (
        <>
          {hasOthers ? "No" : "There are no"} {step ? NONE[step] : "pieces"}
          {newerHere ? " that are newer here than on your site" : null}
          {topicId === undefined ? null : (
            <>
              {" in “"}
              <bdi>{topic.name}</bdi>”
            </>
          )}
          {hasOthers ? " match the other filters." : "."}
        </>
      )}
    </span>
  );
}

/** The topic's name, and what the server says if it is not there. */
function useTopic(id: number | undefined): { name: string; missing?: string } {
  const { data, error } = useQuery({ ...topicQuery(id ?? 0), enabled: id !== undefined });
  const name = data?.name || `Topic ${id}`;
  return isNotFound(error) ? { name, missing: errorText(error, "This topic was not found.") } : { name };
}
