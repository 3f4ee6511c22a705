import { editedFields, patchOf } from "@/components/content/draft";
import {
  type Changes,
  type Field,
  pick,
  type SaverOptions,
  type SaverState,
  savableFields,
} from "@/components/content/saver-state";
import { conflictOf } from "@/lib/features/content/client";

/**
 * What the server keeps of both sides of a conflict. It refuses what is based on an older version, and keeps it as a
 * revision; the next save then leaves the newer version's revision alone, which it would otherwise replace within a
 * sitting.
 */
export class SetAside {
  #last = "";

  /** Records that the server has refused these changes to that version, and has kept them. */
  note(changes: Changes, version: number): void {
    this.#last = keyOf(changes, version);
  }

  /** Called before either side is given up; throws if the server could not be asked. */
  async keepBoth(state: SaverState, refused: ReadonlyMap<Field, string>, send: SaverOptions["send"]): Promise<void> {
    const { draft, conflict } = state;
    if (!conflict) return;
    const { theirs } = conflict;
    const changes = pick(editedFields(theirs, draft), savableFields({ ...state, piece: theirs }, refused));
    if (Object.keys(changes).length === 0 || keyOf(changes, theirs.version) === this.#last) return;
    // The version is an older one even for edits that are newer than what this page knows.
    const version = Math.min(draft.version ?? theirs.version, theirs.version - 1);
    await send({ ...patchOf(theirs, draft, changes), version }, { isLast: false }).catch((error: unknown) => {
      if (!conflictOf(error)) throw error;
    });
  }
}

function keyOf(changes: Changes, version: number): string {
  return JSON.stringify([version, changes]);
}
