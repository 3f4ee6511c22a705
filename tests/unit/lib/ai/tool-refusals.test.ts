import { refusesTools, rememberToolRefusal } from "@/lib/ai/tool-refusals";
import { env } from "@/lib/env";

const DAY = 24 * 3600 * 1000;
const before = { base: env.OPENAI_BASE_URL, model: env.OPENAI_MODEL };
afterEach(() => {
  env.OPENAI_BASE_URL = before.base;
  env.OPENAI_MODEL = before.model;
});

describe("a model that refused a user's tools", () => {
  it("is offered them again after a day", () => {
    rememberToolRefusal("one", 0);
    expect([refusesTools("one", DAY - 1), refusesTools("one", DAY)]).toEqual([true, false]);
  });

  it("is offered those of another user, and so are another model and another provider", () => {
    rememberToolRefusal("one", 0);
    expect(refusesTools("two", 1)).toBe(false);
    env.OPENAI_MODEL = "another-model";
    expect(refusesTools("one", 1)).toBe(false);
    env.OPENAI_MODEL = before.model;
    env.OPENAI_BASE_URL = "http://127.0.0.1:1/v1";
    expect(refusesTools("one", 1)).toBe(false);
  });

  it("is forgotten after a thousand others, the latest last", () => {
    rememberToolRefusal("first", 0);
    rememberToolRefusal("again", 0);
    rememberToolRefusal("first", 0);
    for (let n = 0; n < 999; n++) rememberToolRefusal(`user-${n}`, 0);
    expect([refusesTools("first", 1), refusesTools("again", 1)]).toEqual([true, false]);
  });
});
