import { json, jsonList, jsonWithList } from "@/lib/features/account/own-data/rules";

async function* each<Row>(rows: Row[]) {
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

it("writes a text that comes in parts like one that comes whole", async () => {
  const parts = ['"One\n', "\\二\u0007", "🌱"];
  const text = await joined(jsonWithList(each([{ id: 1, body: each(parts), outline: null }])));
  expect(text).toBe(json([{ id: 1, body: parts.join(""), outline: null }]));
});

it.each([[[]], [["1"]], [["1,\n  2", "3"]]])("joins pages of rows to one list: %j", async (pages) => {
  expect(await joined(jsonList(each(pages)))).toBe(json(pages.flatMap((page) => JSON.parse(`[${page}]`))));
});
