import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { Chip } from "@/components/shared/chip";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { ChatAction } from "@/lib/features/assistant/schema";

/** Something the assistant has created, with a link to it. */
export function ActionCard({ action }: { action: ChatAction }) {
  const { name, description, keywords } = action;
  const { title, open } = copyOf(action);
  const href = hrefOf(action);
  const hasBody = action.type === "keyword" ? keywords && keywords.length > 0 : Boolean(name);
  return (
    <Card>
      <div className="flex min-h-12 items-center gap-2 py-2 pr-3 pl-4">
        <CircleCheck aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-success" />
        <p className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{title}</p>
        {href ? (
          <Button asChild variant="ghost" size="sm">
            <Link href={href}>{open}</Link>
          </Button>
        ) : null}
      </div>
      {hasBody ? (
        <div className="border-t px-4 py-3.5">
          {action.type === "keyword" ? (
            <ul aria-label="Keywords added" className="flex flex-wrap gap-2">
              {keywords?.map((keyword) => (
                <Chip key={keyword}>{keyword}</Chip>
              ))}
            </ul>
          ) : (
            <>
              <p dir="auto" className="font-medium font-serif text-lg [overflow-wrap:anywhere]">
                {name}
              </p>
              {description ? (
                <p dir="auto" className="mt-1 line-clamp-3 text-muted-foreground [overflow-wrap:anywhere]">
                  {description}
                </p>
              ) : null}
            </>
          )}
        </div>
      ) : null}
    </Card>
  );
}

function copyOf({ type, name, keywords }: ChatAction): { title: string; open: string } {
  if (type === "project") return { title: "Project created", open: "Open project" };
  if (type === "persona") return { title: "Buyer persona saved", open: "Open persona" };
  if (type === "topic") return { title: "Topic created", open: "Open topic" };
  if (!keywords) return { title: "Keywords added", open: "View keywords" };
  const count =
    keywords.length === 0 ? "No new keywords" : `${keywords.length} keyword${keywords.length === 1 ? "" : "s"}`;
  return { title: `${count} added to “${name ?? "the topic"}”`, open: "View keywords" };
}

function hrefOf({ projectId, topicId }: ChatAction): string | undefined {
  if (projectId === undefined) return undefined;
  return topicId === undefined ? `/projects/${projectId}` : `/projects/${projectId}?topic=${topicId}`;
}
