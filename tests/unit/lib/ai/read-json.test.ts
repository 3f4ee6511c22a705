import fc from "fast-check";
import { readJson } from "@/lib/ai/read-json";

const value = { title: 'A "quoted" } brace', list: [1, { deep: "]" }] };

it.each([
  ["alone", JSON.stringify(value)],
  ["in a code fence", `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``],
  ["with prose around it", `Here you are: ${JSON.stringify(value)} Anything else?`],
  ["after brackets that are not JSON", `[as asked] {see below} ${JSON.stringify(value)}`],
])("finds JSON %s", (_where, text) => {
  expect(readJson(text)).toEqual({ ok: true, value });
});

it("finds a list", () => {
  expect(readJson("The list: [1, 2]")).toEqual({ ok: true, value: [1, 2] });
});

it.each(["", "no JSON here", "{ not: json }", '{"cut": "of', "42", '"text"'])("finds no JSON in %j", (text) => {
  expect(readJson(text)).toEqual({ ok: false });
});

it("reads any object with prose around it", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const json = JSON.stringify(object);
      expect(readJson(`Answer:\n${json}\nDone.`)).toEqual({ ok: true, value: JSON.parse(json) });
    }),
  );
});

it("gives up quickly on a text of nothing but brackets", () => {
  expect(readJson("[{".repeat(200_000))).toEqual({ ok: false });
});

it("removes characters that cannot be stored", () => {
  expect(readJson('{"title":"a\\u0000b \\ud800"}')).toEqual({ ok: true, value: { title: "ab \uFFFD" } });
});
