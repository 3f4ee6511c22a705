"use client";

import { Plus } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { Chip } from "@/components/shared/chip";
import { useNewKeywords } from "@/components/topics/use-new-keywords";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/textarea";
import { isComposing } from "@/lib/client/composing";
import { fittingKeywords, KEYWORD_MAX, MAX_SUGGESTED } from "@/lib/features/topics/rules";
import type { TopicOut } from "@/lib/features/topics/schema";
import { cn } from "@/lib/utils/cn";

/** Lines of a pasted list in sight. */
const MAX_ROWS = 6;

/** The field for new keywords: one, a list with one a line, or several with commas, about which it asks first. */
export function AddKeyword({ topic }: { topic: TopicOut }) {
  const { text, lines, parts, change, add, isPending } = useNewKeywords(topic);
  const [isAsking, setAsking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const { fitting, tooLong, later } = fittingKeywords(parts);
  const isList = lines.length > 1;

  function changeText(value: string) {
    setAsking(false);
    change(value);
  }

  function choose(keywords: string[]) {
    setAsking(false);
    add(keywords);
    field.current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isAsking || parts.join("\n") === lines.join("\n")) return choose(parts);
    setAsking(true);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // With Shift, Enter begins another line.
    if (isComposing(event.nativeEvent) || event.shiftKey) return;
    if (event.key === "Escape") setAsking(false);
    if (event.key !== "Enter") return;
    event.preventDefault();
    // A held key would answer the question that it has just opened.
    if (!event.repeat) event.currentTarget.form?.requestSubmit();
  }

  return (
    <form onSubmit={submit}>
      <div className={cn("flex gap-1", isList ? "flex-wrap items-end gap-2" : "items-center")}>
        <Textarea
          ref={field}
          id={keywordFieldId(topic.id)}
          value={text}
          rows={Math.min(MAX_ROWS, text.split("\n").length)}
          // A long keyword scrolls sideways, as in a field of one line.
          wrap="off"
          enterKeyHint="done"
          readOnly={isPending}
          placeholder="Add a keyword"
          aria-label={`Add a keyword to ${topic.name}`}
          aria-describedby={noteId}
          aria-invalid={tooLong.length > 0 || undefined}
          onChange={(event) => changeText(event.target.value)}
          onKeyDown={onKeyDown}
          className={cn(
            "min-h-(--control-sm) resize-none rounded-sm px-2 py-[3px] text-sm max-md:py-2.5",
            isList ? "overflow-auto md:w-80" : "overflow-hidden md:w-44",
          )}
        />
        {isAsking ? null : isList ? (
          <Button type="submit" variant="outline" size="sm" pending={isPending} disabled={fitting.length === 0}>
            {addLabel(fitting.length)}
          </Button>
        ) : (
          <Button
            type="submit"
            variant="ghost"
            size="icon-sm"
            aria-label="Add keyword"
            pending={isPending}
            disabled={fitting.length === 0}
          >
            <Plus aria-hidden="true" />
          </Button>
        )}
      </div>
      <div id={noteId} role="status" className="text-muted-foreground text-sm *:mt-1.5">
        {isAsking ? (
          <p>{isList ? "Do the commas separate keywords too?" : `Are these ${parts.length} keywords, or one?`}</p>
        ) : null}
        <Note total={parts.length} tooLong={tooLong.length} later={later.length - tooLong.length} />
      </div>
      {isAsking ? (
        <>
          <ul aria-label="Separate keywords" className="mt-2 flex flex-wrap gap-2">
            {fitting.map((keyword) => (
              <Chip key={keyword}>{keyword}</Chip>
            ))}
          </ul>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button size="sm" disabled={fitting.length === 0} onClick={() => choose(parts)}>
              {addLabel(fitting.length)}
            </Button>
            {fittingKeywords(lines).tooLong.length === 0 ? (
              <Button variant="outline" size="sm" onClick={() => choose(lines)}>
                {isList ? "Add each line as one" : "Add as one"}
              </Button>
            ) : null}
          </div>
        </>
      ) : null}
    </form>
  );
}

export function keywordFieldId(topicId: number): string {
  return `keywords-of-${topicId}`;
}

function addLabel(count: number): string {
  return `Add ${count} keyword${count === 1 ? "" : "s"}`;
}

/** What stays in the field, and why. */
function Note({ total, tooLong, later }: { total: number; tooLong: number; later: number }) {
  return (
    <>
      {tooLong === 0 ? null : (
        <p className="text-destructive">
          {total === 1
            ? `A keyword has at most ${KEYWORD_MAX} characters.`
            : `${tooLong} of ${total} ${tooLong === 1 ? "is" : "are"} longer than ${KEYWORD_MAX} characters and ${tooLong === 1 ? "stays" : "stay"} here.`}
        </p>
      )}
      {later > 0 ? (
        <p>
          {MAX_SUGGESTED} at a time: {later} of {total} {later === 1 ? "stays" : "stay"} here.
        </p>
      ) : null}
    </>
  );
}
