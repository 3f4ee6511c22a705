/** Parses `event.data.userId` into the path below the event. Throws on any other expression. */
export function parsePath(text: string): string[] {
  if (!/^event(\.[A-Za-z_]\w*)+$/.test(text)) throw new Error(`the expression ${text}`);
  return text.split(".").slice(1);
}

/** Parses the SDK's form of `cancelOn: { match }`, `event.data.id == async.data.id` in either order, and returns the path. */
export function parseMatch(text: string): string[] {
  const shape = /^(event|async)\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*) == (event|async)\.\2$/.exec(text);
  if (!shape?.[2] || shape[1] === shape[3]) throw new Error(`the expression ${text}`);
  return shape[2].split(".");
}

/** Parses `event.data.function_id == 'app-fn'`, the trigger condition on another function's end, and returns the id. */
export function parseFunctionId(text: string): string {
  const shape = /^event\.data\.function_id == (?:'([^'\\]+)'|"([^"\\]+)")$/.exec(text);
  const id = shape?.[1] ?? shape?.[2];
  if (!id) throw new Error(`the expression ${text}`);
  return id;
}

/** The value at a path as JSON, so that 1 and "1" differ; undefined when it is missing, null or an object. */
export function valueAt(path: string[], root: object): string | undefined {
  let value: unknown = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value === null || typeof value === "object" || value === undefined ? undefined : JSON.stringify(value);
}
