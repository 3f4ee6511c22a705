import type { z } from "zod";
import { type Backend, startBackend } from "@/tests/support/backend";
import { newWorkspace } from "@/tests/support/factories";
import { LIBRARY_WORDS } from "@/tests/support/hostile";
import { bodyOf, callOperation, fieldsOf, operationNames, specOf } from "@/tests/support/operations";
import { textFields } from "@/tests/support/text-fields";
import { newWorld } from "@/tests/support/world";

type Failed = { error: string; type: string; fields?: Record<string, string[]> };

/** What any field may be sent as: nothing, the wrong kind, too much, out of range. */
function wrongValues(tooLong: string): unknown[] {
  return [
    ...[undefined, null, "", " ", "x", "\0", tooLong],
    ...[0, -1, 1.5, 1e21, true, {}, { a: 1 }, [], [null], [5], [tooLong], [[]]],
  ];
}

let backend: Backend;
let called = 0;

beforeAll(async () => {
  // Rate limits would answer before the schemas.
  process.env.RATE_LIMIT_SCALE = "1000000";
  backend = await startBackend();
});
afterAll(async () => {
  await backend.close();
  process.stdout.write(`Plain words: ${called} wrong calls, no answer in the schema library's words\n`);
});

function expectPlain(what: string, failed: Failed): void {
  const sentences = [failed.error, ...Object.values(failed.fields ?? {}).flat()];
  expect([what, sentences.filter((sentence) => LIBRARY_WORDS.test(sentence) || sentence === "")]).toEqual([what, []]);
}

/** Longer than the field may be; fields without a bound get more than any other may have. */
function tooLongFor(field: string, schema: z.ZodType): string {
  const max = textFields(schema).find(({ name }) => name === field)?.max ?? 600_000;
  return "x".repeat(max + 1);
}

describe("no words of the schema library in any response", () => {
  it.each(operationNames())("of %s", async (name) => {
    const spec = await specOf(name);
    if (!spec.body && !spec.query) return;
    const world = await newWorld();
    const well = (await bodyOf(name, world)) ?? {};
    const bodies: unknown[] = !spec.body
      ? []
      : [
          // Bodies that are no objects are sent as raw text.
          ...["null", "5", '"x"', "true", "[]", "[{}]", "{}", '{"unknown":1}', '{"__proto__":{"a":1}}'],
          ...fieldsOf(spec.body).flatMap((field) =>
            wrongValues(tooLongFor(field, spec.body as z.ZodType)).map((value) => ({ ...well, [field]: value })),
          ),
        ];
    for (const body of bodies) {
      const answer = await callOperation(name, world.caller, world, { body });
      called++;
      if (answer.status >= 400) expectPlain(`${name} ${JSON.stringify(body).slice(0, 80)}`, answer.body as Failed);
    }
    for (const field of fieldsOf(spec.query)) {
      for (const value of ["", "x", "0", "-1", "1.5", "1e999", "true", "[]", "x".repeat(3000)]) {
        const answer = await callOperation(name, world.caller, world, { query: { [field]: value } });
        called++;
        if (answer.status >= 400) expectPlain(`${name} ?${field}=${value.slice(0, 80)}`, answer.body as Failed);
      }
    }
  });
});

describe("a refused call says", () => {
  async function ideas(body: unknown) {
    const { caller, projectId, topicId } = await newWorkspace();
    const full = typeof body === "object" ? { topicId, ...body } : body;
    return (await caller.post<Failed>(`/api/projects/${projectId}/generate-content-ideas`, full)).body;
  }

  it.each([[{ topicId: undefined }], [{ topicId: null }], [{ topicId: "7" }], [{ topicId: 0 }], [{ topicId: [] }]])(
    "'Please select a topic' to ideas for %j",
    async (body) => {
      const sentence = "Please select a topic";
      expect(await ideas(body)).toMatchObject({
        error: sentence,
        type: "VALIDATION_ERROR",
        fields: { topicId: [sentence] },
      });
    },
  );

  it.each([[null], ["3"], [{}]])(
    "'Please select how many ideas per keyword' to %j of them",
    async (ideasPerKeyword) => {
      const sentence = "Please select how many ideas per keyword";
      expect(await ideas({ ideasPerKeyword })).toMatchObject({
        error: sentence,
        fields: { ideasPerKeyword: [sentence] },
      });
    },
  );

  it("how many ideas there may be", async () => {
    expect(await ideas({ ideasPerKeyword: 11 })).toMatchObject({
      error: "Ideas per keyword: use 1 to 10.",
      fields: { ideasPerKeyword: ["Use 1 to 10."] },
    });
  });

  it("which field is missing, and which item of a list is wrong", async () => {
    const { caller, projectId, topicId } = await newWorkspace();
    expect((await caller.post<Failed>(`/api/projects/${projectId}/topics`, { name: "Seeds" })).body).toMatchObject({
      error: "Description is required.",
      fields: { description: ["This field is required."] },
    });
    const keywords = ["seeds", "soil", "x".repeat(101), 5];
    expect(
      (await caller.post<Failed>(`/api/topics/${topicId}/add-suggested-keywords`, { keywords })).body,
    ).toMatchObject({
      error: "Keywords, item 3: use at most 100 characters.",
      fields: { keywords: ["Item 3: use at most 100 characters.", "Item 4: use text."] },
    });
  });

  it("that there must be a body, and of what kind", async () => {
    const { caller } = await newWorkspace();
    const error = async (body?: unknown) => (await caller.post<Failed>("/api/projects", body)).body.error;
    expect(await error()).toBe("The request body is required.");
    expect(await error("[]")).toBe("The request body: use a JSON object.");
  });

  it("which statuses there are", async () => {
    const world = await newWorld();
    const answer = await world.caller.patch<Failed>(`/api/content/${world.pieceId}`, { status: "done" });
    expect(answer.body.error).toBe(
      "Status: use one of these: draft, review, published, unpublished, wp_draft, wp_published, wp_failed.",
    );
  });
});
