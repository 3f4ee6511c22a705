export type TextField = "body" | "outline";
type Typed = { field: TextField; read: () => string };

const READ_AFTER_MS = 400;

/** A long text that is being typed. It is read at the next pause, or when it is needed, because reading takes a while. */
export class TypedText {
  readonly #onPause: () => void;
  #typed: Typed | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onPause: () => void) {
    this.#onPause = onPause;
  }

  get current(): Typed | null {
    return this.#typed;
  }

  type(typed: Typed): void {
    this.#typed = typed;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onPause, READ_AFTER_MS);
  }

  /** Returns it for the last time. */
  take(): Typed | null {
    const typed = this.#typed;
    clearTimeout(this.#timer);
    this.#typed = null;
    return typed;
  }
}
