import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { type Listener, listen } from "@/lib/db/listen";
import { type JobTexts, jobTextsOut } from "@/lib/features/generation/schema";
import { selectWrittenParts, type WrittenOf, type WrittenParts } from "@/lib/features/generation/sql";
import { ownedJob, selectWatchedItems, type WatchedItem, watchJob } from "@/lib/features/work/reads";
import { LEASE_SECONDS } from "@/lib/lease/lease";

/** So many texts are watched side by side. */
const MAX_TEXTS = 4;

/** Half the time that a watch lasts. */
const WATCH_MS = (1_000 * LEASE_SECONDS.watching) / 2;

/** The texts of a job as they are now; those that are being written show their drafts from soon on. Throws NOT_FOUND. */
export async function jobTexts(actor: Actor, jobId: string): Promise<JobTexts> {
  return followJobTexts(actor, jobId).read();
}

/** The texts of a job for a stream: each read has what is new since the one before. Throws NOT_FOUND. */
export function followJobTexts(actor: Actor, jobId: string) {
  let known: Known = new Map();
  const watch = () => watchJob(actor.userId, jobId);
  return {
    async listen(listener: Listener): Promise<(() => void) | undefined> {
      const [ofUser, ofJob] = await Promise.all([listen(actor.userId, listener), listen(jobId, listener)]);
      const timer = setInterval(() => void watch().catch(() => undefined), WATCH_MS).unref();
      const stop = () => {
        clearInterval(timer);
        ofUser?.();
        ofJob?.();
      };
      if (ofUser && ofJob) return stop;
      stop();
      return undefined;
    },
    async read(): Promise<JobTexts> {
      const job = await ownedJob(actor, jobId);
      if (known.size === 0) await watch();
      const whole = [...known].filter(([, { isWhole }]) => isWhole).map(([itemId]) => itemId);
      const items = await selectWatchedItems(actor.userId, jobId, { rows: MAX_TEXTS, known: whole });
      const written = await selectWrittenParts(items.flatMap((item) => writtenOf(item, known)));
      const texts = items.map((item) => textOf(item, written, known));
      known = new Map(texts.map(({ itemId, now }) => [itemId, now]));
      return jobTextsOut.parse({ job, texts });
    },
  };
}

/** A text as its reader has it: its sections, or once it is completed all of it. */
type KnownText = { sections: string[]; isWhole: boolean };
type Known = Map<string, KnownText>;

const NOTHING: KnownText = { sections: [], isWhole: false };

/** The last section that a reader has may have changed since. */
function writtenOf({ itemId, contentPieceId, section, status }: WatchedItem, known: Known): WrittenOf[] {
  if (status !== "processing" || !section) return [];
  const from = Math.max(0, (known.get(itemId) ?? NOTHING).sections.length - 1);
  return [{ id: contentPieceId, outlineHash: section.outlineHash, from }];
}

function textOf({ draft, body, ...item }: WatchedItem, written: WrittenParts[], known: Known) {
  const before = known.get(item.itemId) ?? NOTHING;
  const { section } = item;
  if (item.status !== "processing" || !section) {
    const parts = body === null ? [] : [{ position: 0, heading: "", from: 0, text: body }];
    return { ...item, secondsLeft: null, parts, now: body === null ? before : { sections: [], isWhole: true } };
  }
  const { parts: saved = [], seconds = null } = written.find(({ id }) => id === item.contentPieceId) ?? {};
  const position = section.number - 1;
  const isSaved = saved.some((part) => part.position === position);
  const parts = isSaved ? saved : [...saved, { position, heading: section.heading, text: draft ?? "" }];
  const sections = before.sections.slice(0, section.number);
  for (const part of parts) sections[part.position] = part.text;
  return {
    ...item,
    secondsLeft: seconds === null ? null : seconds * (section.of - position),
    parts: parts
      .filter((part) => before.sections[part.position] !== part.text)
      .map((part) => withoutKnown(part, before.sections[part.position] ?? "")),
    now: { sections, isWhole: false },
  };
}

function withoutKnown<Part extends { text: string }>(part: Part, before: string): Part & { from: number } {
  let from = 0;
  while (from < before.length && before[from] === part.text[from]) from++;
  return { ...part, from, text: part.text.slice(from) };
}
