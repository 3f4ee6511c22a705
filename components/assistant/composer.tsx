"use client";

import { ArrowUp } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useId } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { isComposing } from "@/lib/client/composing";
import { MESSAGE_MAX } from "@/lib/features/assistant/rules";

/** The message field. Enter sends, Shift+Enter adds a line; a message that is too long is not sent. */
export function Composer({
  field,
  text,
  ready,
  pending,
  onType,
  onSend,
  children,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** True once the conversation has started. */
  ready: boolean;
  pending: boolean;
  onType: (text: string) => void;
  onSend: () => void;
  /** Shown below the field. */
  children?: ReactNode;
}) {
  const hint = useId();
  const tooLong = text.trim().length > MESSAGE_MAX;

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!tooLong && !(ready && pending)) onSend();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    submit();
  }

  return (
    <form
      data-composer=""
      onSubmit={submit}
      className="tall:sticky bottom-0 mt-auto bg-background pt-2 pb-[calc(16px+env(safe-area-inset-bottom))]"
    >
      <div className="flex items-end gap-2 rounded-lg border border-input bg-card p-1.5 focus-within:outline-2 focus-within:outline-ring focus-within:outline-offset-2 hover:border-muted-foreground">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          placeholder="Type your message..."
          aria-label="Type your message"
          aria-invalid={tooLong || undefined}
          aria-describedby={tooLong ? hint : undefined}
          enterKeyHint="send"
          onChange={(event) => onType(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-[40dvh] min-h-9 min-w-0 flex-1 resize-none bg-transparent px-2.5 py-2 outline-none max-md:min-h-11 max-md:py-2.5 max-md:text-md"
        />
        <Button type="submit" size="icon" aria-label="Send message" disabled={!ready || pending || tooLong}>
          {pending ? <Spinner /> : <ArrowUp aria-hidden="true" />}
        </Button>
      </div>
      {tooLong ? (
        <p id={hint} role="alert" className="mt-2 text-destructive text-sm">
          {text.trim().length.toLocaleString("en-US")} characters are more than the{" "}
          {MESSAGE_MAX.toLocaleString("en-US")} a message can have. Shorten it, then send it.
        </p>
      ) : null}
      <div className="mt-1 flex min-h-(--control-sm) items-center justify-between gap-3 text-muted-foreground text-sm">
        <span className="max-md:hidden">Enter sends, Shift+Enter begins a new line.</span>
        {children}
      </div>
    </form>
  );
}
