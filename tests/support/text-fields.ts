import { z } from "zod";

type Json = { type?: string; maxLength?: number; anyOf?: Json[]; items?: Json; properties?: Record<string, Json> };
export type TextField = { name: string; isList: boolean; max: number | undefined };

/** The text fields of a body or query. */
export function textFields(schema: z.ZodType | undefined): TextField[] {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Json;
  return Object.entries(properties).flatMap(([name, of]) => {
    const kinds = [of, ...(of.anyOf ?? [])];
    const list = kinds.find(({ type }) => type === "array")?.items;
    const found = list?.type === "string" ? list : kinds.find((kind) => kind.type === "string" && !("const" in kind));
    return found ? [{ name, isList: found === list, max: found.maxLength }] : [];
  });
}
