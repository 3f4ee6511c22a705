import { LABELS } from "@/lib/ai/prompts/shared";

type Message = { role: string; content: unknown };

/** What the sample provider finds in one of our prompts, by fence. */
export type ReadPrompt = {
  task: "keywords" | "ideas" | "outline" | "section" | "rewrite" | "fields" | null;
  count: number;
  project: string;
  topic: string;
  persona: { description: string; interests: string[]; challenges: string[] } | null;
  title: string;
  keyword: string;
  existing: string[];
  outline: string;
  section: { heading: string; brief: string; position: number; of: number; words: number } | null;
  textSoFar: string;
  selection: string;
  /** The whole prompt, for matching. */
  all: string;
};

export function readPrompt(messages: Message[]): ReadPrompt {
  const all = messages.map((message) => String(message.content ?? "")).join("\n\n");
  const fences = fencesOf(messages);
  const text = (label: string) => fences.get(label) ?? "";
  const persona = record(text(LABELS.persona));
  const piece = record(text(LABELS.piece));
  const topic = asText(record(text(LABELS.topic))?.name);
  const section = record(text(LABELS.section));
  return {
    task: /You edit (?:a blog article|the outline of a blog article) with its author/.test(all)
      ? "rewrite"
      : taskOf(fences, all.slice(all.lastIndexOf("\n\n") + 2)),
    count: Number(/exactly (\d+)/.exec(all)?.[1] ?? 1),
    project: asText(record(text(LABELS.project))?.title),
    topic,
    persona: persona && {
      description: asText(persona.description),
      interests: asList(persona.interests),
      challenges: asList(persona.challenges),
    },
    title: asText(piece?.title),
    keyword: text(LABELS.keyword) || asText(piece?.focusKeyword) || topic,
    existing: asList(parse(text(LABELS.existingKeywords) || text(LABELS.existingTitles))),
    outline: text(LABELS.outline),
    section: section && {
      heading: asText(section.heading),
      brief: asText(section.brief),
      position: Number(section.position),
      of: Number(section.of),
      words: Number(section.words),
    },
    textSoFar: text(LABELS.textSoFar),
    selection: text(LABELS.selection),
    all,
  };
}

/** The fenced data of one of our prompts, by label. */
export function fencesOf(messages: Message[]): Map<string, string> {
  const fences = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== "user") continue;
    for (const [, label, data] of String(message.content).matchAll(/<data name="([\w-]+)">\n([\s\S]*?)\n<\/data>/g))
      if (label !== undefined && data !== undefined && !fences.has(label)) fences.set(label, data);
  }
  return fences;
}

function taskOf(fences: Map<string, string>, task: string): ReadPrompt["task"] {
  if (fences.has(LABELS.section)) return "section";
  if (/^Write the focus keyword/.test(task)) return "fields";
  if (fences.has(LABELS.piece)) return "outline";
  if (fences.has(LABELS.keyword)) return "ideas";
  return fences.has(LABELS.topic) ? "keywords" : null;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function record(json: string): Record<string, unknown> | null {
  const value = parse(json);
  return typeof value === "object" && value !== null ? { ...value } : null;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function asList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
