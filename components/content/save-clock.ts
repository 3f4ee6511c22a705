type Timer = ReturnType<typeof setTimeout>;

const SAVE_AFTER_MS = 1_000;
/** The longest wait, for users who type without a pause. */
const SAVE_AT_LATEST_MS = 10_000;
const COPY_AFTER_MS = 200;
const COPY_AT_LATEST_MS = 1_000;
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 60_000;

/**
 * When unsaved edits are saved and copied: at a pause, or after a while without one. After a failed save, the time to the
 * next one doubles.
 */
export class SaveClock {
  readonly #save: () => void;
  readonly #copy: () => void;
  #saveTimer: Timer | undefined;
  #copyTimer: Timer | undefined;
  #unsavedSince: number | null = null;
  #uncopiedSince: number | null = null;
  #retryAt = 0;
  #retryMs = FIRST_RETRY_MS;

  constructor({ save, copy }: { save: () => void; copy: () => void }) {
    this.#save = save;
    this.#copy = copy;
  }

  /** True if a change is waiting for its copy. */
  get isCopyDue(): boolean {
    return this.#copyTimer !== undefined;
  }

  changed(): void {
    const now = Date.now();
    this.#unsavedSince ??= now;
    this.#uncopiedSince ??= now;
    clearTimeout(this.#copyTimer);
    const copyIn = Math.min(COPY_AFTER_MS, this.#uncopiedSince + COPY_AT_LATEST_MS - now);
    this.#copyTimer = setTimeout(this.#copy, Math.max(0, copyIn));
  }

  /** Sets or clears the time of the next save. */
  plan(isNeeded: boolean): void {
    this.cancelSave();
    if (!isNeeded) return;
    const now = Date.now();
    const latest = (this.#unsavedSince ?? now) + SAVE_AT_LATEST_MS;
    const at = Math.max(Math.min(now + SAVE_AFTER_MS, latest), this.#retryAt);
    this.#saveTimer = setTimeout(this.#save, Math.max(0, at - now));
  }

  cancelSave(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
  }

  copied(): void {
    clearTimeout(this.#copyTimer);
    this.#copyTimer = undefined;
    this.#uncopiedSince = null;
  }

  /** Called when a save has succeeded; what was typed meanwhile is unsaved from now on. */
  saved(): void {
    this.#unsavedSince = null;
    this.#retryMs = FIRST_RETRY_MS;
    this.#retryAt = 0;
  }

  failed(): void {
    this.#retryAt = Date.now() + this.#retryMs;
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }

  /** Lets the next save skip the wait after a failed one. */
  hurry(): void {
    this.#retryAt = 0;
  }

  stop(): void {
    this.cancelSave();
    this.copied();
  }
}
