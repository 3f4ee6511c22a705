import { z } from "zod";

type Json = {
  type?: string;
  anyOf?: Json[];
  properties?: Record<string, Json>;
  items?: Json;
  const?: unknown;
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
};

/** What a bound counts: characters, characters of each member of a list, members, or the number itself. */
export type Bound = { field: string; of: "text" | "members' text" | "members" | "number"; min: number; max: number };

/** The bounds of a body's or query's fields according to the schema; 0 and infinity by default. */
export function boundsOf(schema: z.ZodType | undefined): Bound[] {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Json;
  return Object.entries(properties).flatMap(([field, of]) =>
    [of, ...(of.anyOf ?? [])].flatMap((kind) => boundsOfKind(kind).map((bound) => ({ field, ...bound }))),
  );
}

function boundsOfKind(kind: Json): Omit<Bound, "field">[] {
  if (kind.enum || "const" in kind) return [];
  const bound = (of: Bound["of"], min = 0, max = Number.POSITIVE_INFINITY) =>
    min > 0 || max < Number.MAX_SAFE_INTEGER ? [{ of, min, max }] : [];
  switch (kind.type) {
    case "string":
      return bound("text", kind.minLength, kind.maxLength);
    case "integer":
    case "number":
      return bound("number", kind.minimum ?? Number.NEGATIVE_INFINITY, kind.maximum);
    case "array": {
      const member = kind.items?.type === "string" ? kind.items : {};
      return [
        ...bound("members", kind.minItems, kind.maxItems),
        ...bound("members' text", member.minLength, member.maxLength),
      ];
    }
    default:
      return [];
  }
}
