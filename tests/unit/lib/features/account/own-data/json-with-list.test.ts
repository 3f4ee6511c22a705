import { json, jsonWithList } from "@/lib/features/account/own-data/rules";

async function* each(rows: unknown[]) {
  yield* rows;
}

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

const ROWS = [{ title: "One\nline", tags: ["a", "b"], none: null }, { title: '"two"]' }];

it.each([[[]], [ROWS.slice(0, 1)], [ROWS]])(
  "writes a list in parts as it would be written at once: %j",
  async (rows) => {
    expect(await joined(jsonWithList(each(rows)))).toBe(json(rows));
  },
);

it.each([[[]], [ROWS]])(
  "writes an object whose last member is a list as it would be written at once: %j",
  async (rows) => {
    const object = { id: "x", names: ["]"] };
    expect(await joined(jsonWithList(each(rows), object, "rows"))).toBe(json({ ...object, rows }));
  },
);
