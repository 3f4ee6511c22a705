"use client";

import { ChevronRight } from "lucide-react";
import { useRef } from "react";
import { type CallStyle, WORDS_RANGE, wordsOf } from "@/components/content/call-style";
import { SavedInstructions } from "@/components/instructions/saved-instructions";
import { Field } from "@/components/shared/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { STYLE_INSTRUCTIONS_MAX } from "@/lib/features/projects/rules";

/** Tone, language, length and instructions for the next text alone. */
export function CallStyleFields({ style, onChange }: { style: CallStyle; onChange: (style: CallStyle) => void }) {
  const instructions = useRef<HTMLTextAreaElement>(null);
  const field = (name: keyof CallStyle, maxLength: number) => ({
    value: style[name],
    maxLength,
    dir: "auto",
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...style, [name]: target.value }),
  });
  return (
    <details className="group md:max-xl:order-last md:max-xl:basis-full">
      <summary className="flex min-h-(--control) cursor-pointer list-none items-center gap-1.5 text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
        Just for this text
      </summary>
      <div className="grid gap-3 pb-2">
        <p className="text-muted-foreground text-sm">What you leave empty is as the project has it.</p>
        <Field label="Tone">
          <Input {...field("tone", 100)} placeholder="friendly, but factual" />
        </Field>
        <Field label="Language">
          <Input {...field("language", 50)} placeholder="British English" />
        </Field>
        <Field label="Words" error={wordsOf(style) === undefined ? WORDS_RANGE : undefined}>
          <Input {...field("words", 6)} inputMode="numeric" />
        </Field>
        <Field label="Instructions" action={<SavedInstructions field={instructions} max={STYLE_INSTRUCTIONS_MAX} />}>
          <Textarea ref={instructions} {...field("instructions", STYLE_INSTRUCTIONS_MAX)} rows={3} />
        </Field>
      </div>
    </details>
  );
}
