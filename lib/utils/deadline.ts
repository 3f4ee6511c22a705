type Deadline = { signal: AbortSignal; clear: () => void };

/**
 * Makes a signal that aborts with a TimeoutError after `ms`, or as soon as one of `signals` does. Clear it when the work is
 * done. In Node 20 an AbortSignal.timeout that only AbortSignal.any refers to can be garbage-collected, and then never fires.
 */
export function createDeadline(ms: number, ...signals: (AbortSignal | undefined)[]): Deadline {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException("The time is up.", "TimeoutError")), ms);
  timer.unref();
  const others = signals.filter((signal) => signal !== undefined);
  const signal = others.length > 0 ? AbortSignal.any([timeout.signal, ...others]) : timeout.signal;
  return { signal, clear: () => clearTimeout(timer) };
}
