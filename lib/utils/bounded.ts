import { AppError } from "@/lib/errors";

// Every Map and Set that lives as long as its process or page, and grows while that runs, is made here;
// tests/unit/bounded.test.ts finds the others. `reason` says why `max` is enough and what follows when it is reached.

/** A Map that refuses an entry beyond `max` with SERVICE_UNAVAILABLE: what it holds must not be forgotten. */
export function bounded<Key, Value>(name: string, max: number, reason: string): BoundedMap<Key, Value> {
  return new BoundedMap({ name, max, reason });
}

/**
 * A Map that forgets the entry set longest ago to make room for another. Entries for which `isInUse` returns true stay; when
 * all of them are in use, it refuses like `bounded`.
 */
export function boundedCache<Key, Value>(
  name: string,
  max: number,
  reason: string,
  isInUse: (value: Value) => boolean = () => false,
): BoundedMap<Key, Value> {
  return new BoundedMap({ name, max, reason, isInUse });
}

/** A Set that refuses a member beyond `max` with SERVICE_UNAVAILABLE. */
export function boundedSet<Member>(name: string, max: number, reason: string): Set<Member> {
  return new BoundedSet({ name, max, reason });
}

/** Listeners of one kind: each mounted component has a few, and none outlives it. */
export function listenerSet<Listener>(name: string): Set<Listener> {
  return boundedSet(
    name,
    MAX_LISTENERS,
    "More than any page mounts, so that a component that never unsubscribes is found.",
  );
}

const MAX_LISTENERS = 100_000;

type Bound = { name: string; max: number; reason: string };

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #bound: Bound & { isInUse?: (value: Value) => boolean };

  constructor(bound: Bound & { isInUse?: (value: Value) => boolean }) {
    super();
    this.#bound = bound;
  }

  override set(key: Key, value: Value): this {
    // In a cache the entry set last is at the end; elsewhere an entry keeps its place.
    if (this.#bound.isInUse) this.delete(key);
    if (!this.has(key)) this.makeRoom();
    return super.set(key, value);
  }

  /** Makes sure that one more entry fits. Call it before work whose result has to be entered. */
  makeRoom(): void {
    const { max, isInUse } = this.#bound;
    if (this.size < max) return;
    for (const [key, value] of isInUse ? this : []) if (!isInUse?.(value)) return void this.delete(key);
    throw full(this.#bound);
  }
}

class BoundedSet<Member> extends Set<Member> {
  readonly #bound: Bound;

  constructor(bound: Bound) {
    super();
    this.#bound = bound;
  }

  override add(member: Member): this {
    if (this.size >= this.#bound.max && !this.has(member)) throw full(this.#bound);
    return super.add(member);
  }
}

function full({ name, max, reason }: Bound): AppError {
  return new AppError("SERVICE_UNAVAILABLE", { cause: new Error(`${name}: all ${max} are taken. ${reason}`) });
}
