/** A value an option may name: a property of the event, or a text in quotes. No other expression is emulated. */
export type ValueExpression = { path: string[] } | { literal: string };

/** Reads `event.data.userId` or `"llm"`. Throws a sentence on any other expression. */
export function parseValue(text: string): ValueExpression {
  const literal = /^"([^"\\]*)"$|^'([^'\\]*)'$/.exec(text);
  if (literal) return { literal: literal[1] ?? literal[2] ?? "" };
  if (/^event(\.[A-Za-z_]\w*)+$/.test(text)) return { path: text.split(".").slice(1) };
  throw new Error(`the expression ${text}`);
}

/**
 * Reads what `cancelOn: { match }` becomes, `event.data.id == async.data.id`, in either order. Gives the path both must
 * agree on.
 */
export function parseMatch(text: string): string[] {
  const shape = /^(event|async)\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*) == (event|async)\.\2$/.exec(text);
  if (!shape?.[2] || shape[1] === shape[3]) throw new Error(`the expression ${text}`);
  return shape[2].split(".");
}

/** Reads `event.data.function_id == 'app-fn'`, the condition on a function of another's end. Gives that one's id. */
export function parseFunctionId(text: string): string {
  const shape = /^event\.data\.function_id == (?:'([^'\\]+)'|"([^"\\]+)")$/.exec(text);
  const id = shape?.[1] ?? shape?.[2];
  if (!id) throw new Error(`the expression ${text}`);
  return id;
}

/** The expression's value on this event as text, typed so that 1 and "1" differ. Undefined when the event has no such value. */
export function evaluate(expression: ValueExpression, event: object): string | undefined {
  return "literal" in expression ? JSON.stringify(expression.literal) : valueAt(expression.path, event);
}

/** The value at a path as text. Undefined when it is missing, null, or itself an object. */
export function valueAt(path: string[], root: object): string | undefined {
  let value: unknown = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value === null || typeof value === "object" || value === undefined ? undefined : JSON.stringify(value);
}
