"use client";

import { type ReactNode, type Ref, useCallback, useMemo } from "react";
import { type Columns, ColumnsRow, PieceRow } from "@/components/publishing/piece-row";
import { type Section, type SectionLine, type SectionTopic, sectionLines } from "@/components/publishing/section-lines";
import { checkedState } from "@/components/publishing/selection";
import { useVirtualWindow } from "@/components/shared/use-virtual-window";
import { Table, TableBody, TableHeader } from "@/components/ui/table";
import type { Publishing } from "@/lib/features/publishing/client";
import { useReviews } from "@/lib/features/publishing/client/reviews";
import { cn } from "@/lib/utils/cn";

type Props = {
  sections: Section[];
  withTopic?: boolean;
  topicNameOf: (topicId: number) => string | undefined;
  publishing: Publishing;
  selected: ReadonlySet<string>;
  onSelect: (ids: string[], checked: boolean) => void;
};

/** Estimated heights on wide screens, in pixels. */
const HEIGHTS: Record<SectionLine["kind"], number> = { head: 85, columns: 36, piece: 49 };

/** Publishable pieces in a table per section. Only lines near the viewport are rendered. */
export function PieceSections({ sections, withTopic = false, topicNameOf, publishing, selected, onSelect }: Props) {
  const lines = useMemo(() => sectionLines(sections), [sections]);
  const { first, end, before, after, listRef, follower, measure } = useVirtualWindow({
    count: lines.length,
    keyOf: useCallback((index: number) => lines[index]?.key ?? String(index), [lines]),
    estimate: useCallback((index: number) => HEIGHTS[lines[index]?.kind ?? "piece"], [lines]),
  });
  const { reviews } = useReviews(
    useMemo(() => lines.flatMap(pieceIdOf), [lines]),
    new Set(lines.slice(first, end).flatMap(pieceIdOf)),
  );
  const columns: Columns = { withTopic, topicNameOf };
  return (
    <div ref={listRef} style={{ paddingTop: before, paddingBottom: after }}>
      {follower}
      {bySection(lines.slice(first, end), first).map(({ section, rendered }) => {
        const ids = section.pieces.map(({ id }) => id);
        const [head] = rendered;
        return (
          <section key={section.key} aria-label={section.label}>
            {head?.line.kind === "head" ? <Head topic={head.line.topic} index={head.index} ref={measure} /> : null}
            <Box
              isTop={head?.line.kind === "columns"}
              isFirst={head?.index === 0}
              isEnd={rendered.at(-1)?.line.endsSection === true}
            >
              <Table className="xl:table-fixed" aria-rowcount={ids.length + 1}>
                <caption className="sr-only">{section.label}</caption>
                <TableHeader>
                  {rendered.map(({ line, index }) =>
                    line.kind === "columns" ? (
                      <ColumnsRow
                        key={line.key}
                        ref={measure}
                        index={index}
                        columns={columns}
                        label={section.label}
                        checked={checkedState(ids, selected)}
                        disabled={publishing.bulk !== null}
                        onCheck={(checked) => onSelect(ids, checked)}
                      />
                    ) : null,
                  )}
                </TableHeader>
                <TableBody>
                  {rendered.map(({ line, index }) =>
                    line.kind === "piece" ? (
                      <PieceRow
                        key={line.key}
                        ref={measure}
                        index={index}
                        place={line.place}
                        columns={columns}
                        piece={line.piece}
                        review={reviews.get(line.piece.id)}
                        publishing={publishing}
                        checked={selected.has(line.piece.id)}
                        onCheck={(checked) => onSelect([line.piece.id], checked)}
                      />
                    ) : null,
                  )}
                </TableBody>
              </Table>
            </Box>
          </section>
        );
      })}
    </div>
  );
}

function pieceIdOf(line: SectionLine): string[] {
  return line.kind === "piece" ? [line.piece.id] : [];
}

type RenderedSection = { section: Section; rendered: { line: SectionLine; index: number }[] };

/** Groups the rendered lines by section. */
function bySection(lines: SectionLine[], first: number): RenderedSection[] {
  const groups: RenderedSection[] = [];
  for (const [at, line] of lines.entries()) {
    const last = groups.at(-1);
    const entry = { line, index: first + at };
    if (last?.section === line.section) last.rendered.push(entry);
    else groups.push({ section: line.section, rendered: [entry] });
  }
  return groups;
}

/** The sides of a section's card. It adds no height of its own: only lines are measured. */
function Box({
  isTop,
  isFirst,
  isEnd,
  children,
}: {
  isTop: boolean;
  isFirst: boolean;
  isEnd: boolean;
  children: ReactNode;
}) {
  return (
    <div
      className={cn(
        "relative border-transparent border-x bg-card *:rounded-[inherit] max-md:-mx-4 max-md:border-x-0",
        // The frame is drawn above the rows: a selected one would cover it.
        "after:pointer-events-none after:absolute after:-inset-x-px after:inset-y-0 after:rounded-[inherit] after:border-x max-md:after:inset-x-0 max-md:after:border-x-0",
        isTop && "rounded-t-md after:border-t max-md:rounded-none",
        isFirst && AFTER_TABS,
        isEnd && "rounded-b-md after:border-b max-md:rounded-none",
      )}
    >
      {children}
    </div>
  );
}

/** On phones the tabs' line is the first section's own: they are as wide. */
const AFTER_TABS = "max-md:border-t-0 max-md:after:border-t-0";

function Head({ topic, index, ref }: { topic: SectionTopic; index: number; ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} data-index={index} className={index > 0 ? "pt-4" : undefined}>
      <div
        className={cn(
          "flex min-h-13 items-center rounded-t-md border border-b-0 bg-card px-4 py-2 max-md:-mx-4 max-md:rounded-none max-md:border-x-0",
          index === 0 && AFTER_TABS,
        )}
      >
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="font-medium [overflow-wrap:anywhere]">
            {topic.name || `Topic ${topic.id}`}
          </h2>
          {topic.description === null ? null : (
            <p
              dir="auto"
              title={topic.description}
              className="line-clamp-2 text-muted-foreground text-sm [overflow-wrap:anywhere]"
            >
              {topic.description || "No description"}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}
