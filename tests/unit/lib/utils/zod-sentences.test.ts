import { z } from "zod";
import "@/lib/utils/zod-config";
import { fieldMessages } from "@/lib/utils/zod-sentences";

/** The message under the field `size` for this value. */
function under(schema: z.ZodType, size: unknown): string | undefined {
  return fieldMessages(z.object({ size: schema }).safeParse({ size }).error?.issues ?? []).fields.size?.[0];
}

it.each<[string, z.ZodType, unknown]>([
  ["This field is required.", z.string(), undefined],
  ["This field is required.", z.enum(["a", "b"]), undefined],
  ["This field is required.", z.union([z.string(), z.number()]), undefined],
  ["This field is required.", z.string().min(1), ""],
  ["Use text.", z.string(), 5],
  ["Use text.", z.string(), null],
  ["Use a number.", z.number(), "5"],
  ["Use a number.", z.coerce.number(), "x"],
  ["Use a number.", z.number(), Number.POSITIVE_INFINITY],
  ["Use a whole number.", z.int(), 1.5],
  ["Use a smaller number.", z.int(), 1e21],
  ["Use true or false.", z.boolean(), "true"],
  ["Use a list.", z.array(z.string()), {}],
  ["Use a JSON object.", z.object({}), []],
  ["Use a JSON object.", z.record(z.string(), z.string()), []],
  ["Use one of these: draft, review.", z.enum(["draft", "review"]), "done"],
  ["Use yes.", z.literal("yes"), "no"],
  ["Use at least 3 characters.", z.string().min(3), "x"],
  ["Use at most 5,000 characters.", z.string().max(5000), "x".repeat(5001)],
  ["Use at least 2.", z.array(z.string()).min(2), []],
  ["Use at most 1.", z.array(z.string()).max(1), ["a", "b"]],
  ["Use 1 or more.", z.number().min(1), 0],
  ["Use 10 or less.", z.number().max(10), 11],
  ["Use more than 0.", z.number().positive(), 0],
  ["Use less than 0.", z.number().negative(), 0],
  ["Use a multiple of 5.", z.number().multipleOf(5), 3],
  ["Please enter a valid email address", z.email(), "x"],
  ["Enter an address that begins with https://.", z.url(), "x"],
  ["Use a valid id.", z.uuid(), "x"],
  ["Use a date and time such as 2026-11-21T10:00:00Z.", z.iso.datetime(), "x"],
  ["Use another value.", z.string().regex(/^a$/), "x"],
  ["Use another value.", z.string().startsWith("a"), "x"],
  ["Use another value.", z.custom(() => false), "x"],
  ["Use another value.", z.bigint(), "x"],
  ["Use at most 2 characters.", z.union([z.string().max(2), z.null()]), "xyz"],
  ["Use text.", z.union([z.string(), z.null()]), 5],
  ["Use the fields that exist: b is not known.", z.strictObject({}), { b: 1 }],
  ["Use the fields that exist: b, c are not known.", z.strictObject({}), { b: 1, c: 2 }],
])("says “%s”", (sentence, schema, value) => {
  expect(under(schema, value)).toBe(sentence);
});

it("leaves a schema's own sentence as it is", () => {
  expect(under(z.string("Please select a topic"), undefined)).toBe("Please select a topic");
});

const rows = z.object({ rows: z.array(z.object({ pageName: z.string() })) });

it.each<[string, z.ZodType, unknown]>([
  ["Title is required.", z.object({ title: z.string() }), {}],
  ["Title is too odd.", z.object({ title: z.string("This text is too odd.") }), {}],
  ["Topic: use a valid id.", z.object({ topicId: z.uuid() }), { topicId: "x" }],
  ["Ideas per keyword: use a number.", z.object({ ideasPerKeyword: z.number() }), { ideasPerKeyword: "x" }],
  ["OpenAI API key: use text.", z.object({ openaiApiKey: z.string() }), { openaiApiKey: 5 }],
  ["WordPress URL: use text.", z.object({ wordpressUrl: z.string() }), { wordpressUrl: 5 }],
  ["Photo URL: use text.", z.object({ photoURL: z.string() }), { photoURL: 5 }],
  ["Id: use text.", z.object({ id: z.string() }), { id: 5 }],
  ["Please select a topic", z.object({ topicId: z.string("Please select a topic") }), {}],
  ["Keywords, item 4: use text.", z.object({ keywords: z.array(z.string()) }), { keywords: ["a", "b", "c", 5] }],
  ["Rows, item 2, page name is required.", rows, { rows: [{ pageName: "" }, {}] }],
  ["The request body: use a JSON object.", z.object({}), 5],
  ["Send at least one field to change.", z.object({}).refine(() => false, "Send at least one field to change."), {}],
])("says “%s” apart from its field", (sentence, schema, value) => {
  expect(fieldMessages(schema.safeParse(value).error?.issues ?? []).first).toBe(sentence);
});
