import { Square } from "lucide-react";
import { ProgressBar } from "@/components/shared/progress-bar";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { Writing } from "@/lib/features/generation/client/streams";
import { lengthInWords } from "@/lib/utils/words";

/** The section being written, the number of sections, and the words so far. */
export function WritingProgress({
  writing,
  onStop,
  isStopping,
}: {
  writing: Writing;
  onStop: () => void;
  isStopping: boolean;
}) {
  const { index, count, heading, sections, isThinking } = writing;
  const words = sections.reduce((sum, section) => sum + lengthInWords(section.text), 0);
  const isPost = count > 1;
  const place = isPost ? `Section ${index + 1} of ${count}` : null;
  const state = isThinking ? [place, "Thinking…"].filter(Boolean).join(": ") : (place ?? "The AI is at work");
  return (
    <section aria-label="Writing">
      <h2 className="mb-2 font-medium">Writing</h2>
      <p className="flex items-center gap-2 text-sm tabular-nums">
        <Spinner className="size-3.5 text-info" />
        <span role="status">{state}</span>
        <span className="ml-auto text-muted-foreground">{words.toLocaleString("en-US")} words</span>
      </p>
      {isPost ? (
        <ProgressBar className="mt-2" value={Math.round((index / count) * 100)} label="Sections written" />
      ) : null}
      {heading ? <p className="mt-2 text-muted-foreground text-sm">{heading}</p> : null}
      <Button variant="outline" size="sm" className="mt-3" pending={isStopping} onClick={onStop}>
        <Square aria-hidden="true" />
        Stop
      </Button>
    </section>
  );
}
