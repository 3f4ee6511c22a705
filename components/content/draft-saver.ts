import {
  afterOwnChange,
  afterSave,
  type Draft,
  type DraftFields,
  EMPTY_DRAFT,
  editedFields,
  isOwnSave,
  mergedDraft,
  patchOf,
  restoredDraft,
  withEdit,
  withSent,
} from "@/components/content/draft";
import { SaveClock } from "@/components/content/save-clock";
import {
  type Changes,
  type Conflict,
  type Field,
  firstState,
  isChanged,
  isNewer,
  isSmall,
  pick,
  refusedFields,
  type SaverOptions,
  type SaverState,
  savableFields,
} from "@/components/content/saver-state";
import { SetAside } from "@/components/content/set-aside";
import { type TextField, TypedText } from "@/components/content/typed-text";
import { isNotFound, isSessionEnd } from "@/lib/client/api";
import { conflictOf } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import { bounded, listenerSet } from "@/lib/utils/bounded";
import { oneAtATime } from "@/lib/utils/one-at-a-time";
import { isBlank } from "@/lib/utils/text";

/** Above this length, rendering the screen at each key would be felt on a slow machine. */
const LONG = 2_000;
/** Saves of one text that may meet a newer version in a row, before the user is asked. */
const MAX_MERGES = 3;

const NO_TITLE = "Give this piece a title before you save it.";

/**
 * The unsaved edits of one piece and their way to the server. They are saved by themselves a second after the last key,
 * and kept in this browser until the server has them. A save that meets a newer version merges with it, and asks where it
 * cannot.
 */
export class DraftSaver {
  #state: SaverState;
  readonly #options: SaverOptions;
  readonly #listeners = listenerSet<() => void>("listeners to a draft");
  readonly #typing = new TypedText(() => this.#settle());
  readonly #clock = new SaveClock({ save: () => void this.saveQuietly(), copy: () => void this.#copyNow() });
  #isCopied = true;
  /** Values that the server has refused; they do not hold up other fields. */
  readonly #refused = bounded<Field, string>("refused fields", 10, "A piece has fewer fields.");
  #isPaused = false;
  readonly #enqueue = oneAtATime();
  readonly #aside = new SetAside();
  #toAnnounce: "nothing" | "saved" | "merged" = "nothing";

  constructor(piece: ContentOut, options: SaverOptions) {
    this.#options = options;
    this.#state = firstState(piece);
  }

  readonly read = (): SaverState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** True if the server does not have everything. */
  get isDirty(): boolean {
    return this.#state.isTyping || isChanged(this.#state.piece, this.#state.draft);
  }

  /** True if this browser keeps what is unsaved now. */
  get isCopied(): boolean {
    return this.#isCopied;
  }

  /** True if closing the page now would lose something, or leave it in this browser alone. */
  get mustAsk(): boolean {
    if (!this.isDirty) return false;
    const { failure, conflict, piece, draft } = this.#state;
    const isHeld = this.#fieldsToSave().length < Object.keys(editedFields(piece, draft)).length;
    const reachesServer = this.#state.saving === "no" && isSmall(this.#draftWithTyping());
    return failure !== null || conflict !== null || this.#isPaused || isHeld || !(this.#isCopied || reachesServer);
  }

  /** Called when the cache has a version of the piece, perhaps an older one. */
  see(piece: ContentOut): void {
    if (piece === this.#state.piece || isNewer(this.#state.piece, piece)) return;
    this.#set(this.#state.conflict ? { piece, conflict: { theirs: piece } } : { piece });
    if (this.#state.isTyping || this.#state.conflict) return;
    this.#rebase();
    this.#schedule();
  }

  edit<F extends Field>(field: F, value: DraftFields[F]): void {
    if (this.#typing.current?.field === field) this.#stopTyping();
    if (field === "title") this.#set({ titleError: undefined });
    this.#set({ draft: withEdit(this.#state.draft, this.#state.piece, field, value) });
    this.#changed();
  }

  /** Called when an editor's text has changed; `read` returns it. A long one is read at the next pause, or when needed. */
  type(field: TextField, read: () => string, length: number): void {
    if (this.#typing.current?.field !== field) this.#settle();
    if (length < LONG || this.#state.draft.edits[field] === undefined) {
      this.edit(field, read());
      return;
    }
    this.#typing.type({ field, read });
    if (!this.#state.isTyping) this.#set({ isTyping: true });
    this.#changed();
  }

  /** The edits as of this moment. */
  now(): Draft {
    this.#settle();
    return this.#state.draft;
  }

  /**
   * Takes over edits that were kept elsewhere, merged with what was saved since. Resolves once this browser keeps them here; to
   * false if the user has to choose between the two first.
   */
  async restore(kept: Draft): Promise<boolean> {
    this.#stopTyping();
    const { piece } = this.#state;
    const merged = restoredDraft(kept, piece);
    this.#set(merged ? { draft: merged } : { draft: kept, conflict: { theirs: piece } });
    this.#changed();
    await this.#copyNow();
    return merged !== null;
  }

  /** Called after an AI call has changed one field of the stored piece. */
  follow(field: Field, saved: ContentOut): void {
    this.#settle();
    this.#set({ draft: afterOwnChange(this.#state.draft, field, saved) });
    this.see(saved);
    if (!this.isDirty) this.#settled();
  }

  /**
   * Saves all that is unsaved, or the given fields, because the user has asked. Returns the saved piece, or null if something
   * was not saved. Throws what the call threw.
   */
  save(only?: Field[]): Promise<ContentOut | null> {
    this.#refused.clear();
    return this.#asked(async () => {
      const { title } = this.now().edits;
      const isTitleMissing = title !== undefined && isBlank(title) && (!only || only.includes("title"));
      if (isTitleMissing) this.#set({ titleError: NO_TITLE });
      const saved = await this.#sendChanges(only);
      return isTitleMissing ? null : saved;
    });
  }

  /** Returns what was saved since the last call: nothing, edits, or edits that were merged with a newer version. */
  takeSaved(): "nothing" | "saved" | "merged" {
    const saved = this.#toAnnounce;
    this.#toAnnounce = "nothing";
    return saved;
  }

  /** Saves what can be saved without asking the user. Returns true when nothing is unsaved any more. */
  async saveQuietly({ isLast = false } = {}): Promise<boolean> {
    this.#clock.cancelSave();
    await this.#enqueue(() => this.#saveOnce(isLast));
    return !this.isDirty;
  }

  /** Called when the network is back or the page is shown again: does not wait for the next attempt. */
  retryNow(): void {
    if (this.#state.failure === null || this.#isPaused) return;
    this.#clock.hurry();
    this.#schedule();
  }

  /** Called when the page may be gone in a moment. */
  flush(): void {
    if (!this.isDirty) return;
    void this.#copyNow();
    if (isSmall(this.#draftWithTyping())) void this.saveQuietly({ isLast: true });
  }

  /** Makes the piece the newer version; the edits become a revision. Throws if the server could not be asked. */
  takeTheirs(): Promise<ContentOut | null> {
    return this.#decided(async ({ theirs }) => {
      this.see(theirs);
      this.#stopTyping();
      this.#set({ draft: EMPTY_DRAFT, conflict: null, failure: null, titleError: undefined });
      this.#settled();
      return theirs;
    });
  }

  /** Saves what the user has made of both versions. */
  resolve(draft: Draft): Promise<ContentOut | null> {
    return this.#decided(({ theirs }) => {
      this.#stopTyping();
      this.#set({ piece: theirs, draft });
      this.#changed();
      return this.#sendChanges();
    });
  }

  /** What is given up stays as a revision. */
  #decided(work: (conflict: Conflict) => Promise<ContentOut | null>): Promise<ContentOut | null> {
    return this.#asked(async () => {
      this.#settle();
      await this.#aside.keepBoth(this.#state, this.#refused, this.#options.send);
      const { conflict, piece } = this.#state;
      return conflict ? work(conflict) : piece;
    });
  }

  /** Stops all timers. What is unsaved stays in this browser. */
  stop(): void {
    this.#isPaused = true;
    this.#typing.take();
    this.#clock.stop();
  }

  async #asked(work: () => Promise<ContentOut | null>): Promise<ContentOut | null> {
    this.#isPaused = false;
    this.#set({ saving: "asked" });
    return this.#enqueue(async () => {
      this.#set({ saving: "asked" });
      try {
        return await work();
      } catch (error) {
        this.#failed(error);
        throw error;
      } finally {
        this.#set({ saving: "no" });
        this.#schedule();
      }
    });
  }

  async #saveOnce(isLast: boolean): Promise<void> {
    if (this.#isPaused || this.#state.conflict) return;
    this.#settle();
    if (this.#fieldsToSave().length === 0) return;
    this.#set({ saving: "automatic" });
    try {
      await this.#sendChanges(undefined, isLast);
    } catch (error) {
      const isFirst = this.#state.failure === null;
      this.#failed(error);
      if (isFirst && this.#state.failure !== null) this.#options.onFailure(error);
    } finally {
      this.#set({ saving: "no" });
      this.#schedule();
    }
  }

  #fieldsToSave(only?: Field[]): Field[] {
    const fields = savableFields(this.#state, this.#refused);
    return only ? fields.filter((field) => only.includes(field)) : fields;
  }

  async #sendChanges(only?: Field[], isLast = false): Promise<ContentOut | null> {
    this.#rebase();
    const changes = editedFields(this.#state.piece, this.now());
    const fields = this.#fieldsToSave(only);
    if (fields.length === 0) {
      if (!this.isDirty) this.#succeeded();
      return this.#state.piece;
    }
    return this.#send(pick(changes, fields), pick(this.#state.draft.edits, fields), { isLast });
  }

  /** Merges a newer version that is known already, which saves a refused call. What cannot be merged is sent, to be kept. */
  #rebase(): void {
    const { piece, draft } = this.#state;
    if (draft.version !== null && draft.version < piece.version) this.#mergeWith(piece);
  }

  /** The edits on the newer version, or null if both have changed the same lines. */
  #mergeWith(theirs: ContentOut): Draft | null {
    const draft = this.now();
    const merged = mergedDraft(draft, theirs);
    if (!merged) return null;
    if (!isOwnSave(draft, theirs)) this.#toAnnounce = "merged";
    this.#set({ draft: merged, piece: theirs });
    return merged;
  }

  /** `changes` are sent; `sent` are the edits they come from, which may differ in surrounding white space. */
  async #send(changes: Changes, sent: Changes, { isLast = false, merges = 0 } = {}): Promise<ContentOut | null> {
    let saved: ContentOut;
    const patch = patchOf(this.#state.piece, this.#state.draft, changes);
    this.#set({ draft: withSent(this.#state.draft, changes) });
    try {
      saved = await this.#options.send(patch, { isLast });
    } catch (error) {
      const theirs = conflictOf(error);
      if (!theirs) throw error;
      this.#aside.note(changes, theirs.version);
      return this.#sendMerged(changes, theirs, merges + 1);
    }
    this.#settle();
    this.#set({ piece: saved, draft: afterSave(this.#state.draft, sent, saved), hasSaved: true });
    if (this.#toAnnounce === "nothing") this.#toAnnounce = "saved";
    this.#succeeded();
    return saved;
  }

  /** Sends the same fields on the newer version, or asks if both have changed the same lines. */
  async #sendMerged(mine: Changes, theirs: ContentOut, merges: number): Promise<ContentOut | null> {
    const merged = merges <= MAX_MERGES ? this.#mergeWith(theirs) : null;
    if (!merged) {
      this.#set({ conflict: { theirs } });
      return null;
    }
    const changes = pick(editedFields(theirs, merged), Object.keys(mine) as Field[]);
    if (Object.keys(changes).length > 0) return this.#send(changes, changes, { merges });
    this.#succeeded();
    return theirs;
  }

  #succeeded(): void {
    this.#clock.saved();
    this.#set({ conflict: null });
    if (this.#state.failure !== null) {
      this.#set({ failure: null });
      this.#options.onFailure(null);
    }
    if (this.isDirty) this.#changed();
    else this.#settled();
  }

  #failed(error: unknown): void {
    const refused = refusedFields(error, this.#state.draft);
    for (const [field, value] of refused) this.#refused.set(field, value);
    if (refused.length > 0) return;
    if (isSessionEnd(error) || isNotFound(error)) this.#isPaused = true;
    this.#clock.failed();
    this.#set({ failure: error });
  }

  /** Called when everything is saved or given up. */
  #settled(): void {
    this.#clock.stop();
    this.#clock.saved();
    this.#isCopied = true;
    void this.#options.keep(null);
  }

  #changed(): void {
    this.#isCopied = false;
    this.#clock.changed();
    this.#schedule();
  }

  #schedule(): void {
    const isWaiting = this.#isPaused || this.#state.conflict !== null;
    this.#clock.plan(!isWaiting && (this.#state.isTyping || this.#fieldsToSave().length > 0));
  }

  async #copyNow(): Promise<void> {
    this.#clock.copied();
    const draft = this.#draftWithTyping();
    if (!isChanged(this.#state.piece, draft)) return;
    this.#isCopied = (await this.#options.keep(draft)) && !this.#clock.isCopyDue;
  }

  /** The edits with what is being typed, without showing them. */
  #draftWithTyping(): Draft {
    const { draft, piece } = this.#state;
    const typed = this.#typing.current;
    return typed ? withEdit(draft, piece, typed.field, typed.read()) : draft;
  }

  /** Reads what is being typed. */
  #settle(): void {
    const draft = this.#draftWithTyping();
    this.#stopTyping();
    if (draft !== this.#state.draft) this.#set({ draft });
  }

  #stopTyping(): void {
    this.#typing.take();
    if (this.#state.isTyping) this.#set({ isTyping: false });
  }

  #set(part: Partial<SaverState>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }
}
