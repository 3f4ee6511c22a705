import { listenerSet } from "@/lib/utils/bounded";

/** A text that is on its way to the server, and goes on after its screen was left. */
export type Unsaved = { subject: string; label: string };

type Saver = {
  userId: string;
  /** Saves what is unsaved. Resolves to null when nothing is any more. */
  save: () => Promise<Unsaved | null>;
  close: () => void;
};

const savers = listenerSet<Saver>("savers before a sign-out");

/** Takes part in every chosen sign-out, until the returned function is called. */
export function joinSignOut(saver: Saver): () => void {
  savers.add(saver);
  return () => savers.delete(saver);
}

/** Saves what this page still has of this user. Returns what could not be saved. */
export async function saveBeforeSignOut(userId: string): Promise<Unsaved[]> {
  const own = [...savers].filter((saver) => saver.userId === userId);
  const left = await Promise.all(own.map(({ save }) => save()));
  return left.filter((each) => each !== null);
}

/** Nobody is signed in any more: stops all saving. */
export function stopSaving(): void {
  for (const { close } of [...savers]) close();
  savers.clear();
}
