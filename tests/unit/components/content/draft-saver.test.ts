/** @jest-environment jsdom */
import { type Draft, draftFromKept } from "@/components/content/draft";
import { actionData } from "@/lib/client/api";
import type { ContentOut } from "@/lib/features/content/schema";
import { BODY, OFFLINE, openSaver, refused } from "@/tests/support/draft-saver";

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

/** The failure of a call after which the page says that the session has ended. */
function sessionEnd(): Promise<unknown> {
  const error = { error: "Sign in.", type: "UNAUTHENTICATED" as never, status: 401, requestId: "1" };
  return actionData(Promise.resolve({ ok: false, error })).catch((thrown: unknown) => thrown);
}

describe("saving by itself", () => {
  it("waits for a second without a key, and erases its copy", async () => {
    const { saver, sent, copies, pass } = openSaver();
    saver.edit("body", `${BODY} a`);
    await pass(900);
    saver.edit("body", `${BODY} ab`);
    await pass(900);
    expect(sent).toEqual([]);
    expect(copies).toEqual([{ body: `${BODY} a` }, { body: `${BODY} ab` }]);
    await pass(100);
    expect(sent).toEqual([{ input: { body: `${BODY} ab`, version: 4 }, at: 1_900, isLast: false }]);
    expect(saver.isDirty).toBe(false);
    expect(saver.read()).toMatchObject({ hasSaved: true, saving: "no", piece: { version: 5 } });
    expect(copies.at(-1)).toBeNull();
  });

  it("does not wait longer than ten seconds for somebody who types without a pause, nor a copy longer than one", async () => {
    const { saver, sent, copies, pass } = openSaver();
    for (let key = 0; key < 110; key += 1) {
      saver.edit("body", `${BODY} ${key}`);
      await pass(100);
    }
    expect(sent.map(({ at }) => at)).toEqual([10_000]);
    expect(copies.length).toBeGreaterThanOrEqual(9);
  });

  it("reads a long text that is typed at a pause, for a copy, and for a save", async () => {
    const { saver, copies, pass } = openSaver({ body: "x".repeat(3_000) });
    let text = "x".repeat(3_000);
    const reads: number[] = [];
    const read = () => {
      reads.push(Date.now());
      return text;
    };
    for (let key = 0; key < 6; key += 1) {
      text += "y";
      saver.type("body", read, text.length);
      await pass(300);
    }
    // The first key at once; then for copies at 200 ms pauses.
    expect(saver.isDirty).toBe(true);
    expect(copies.at(-1)).toEqual({ body: text });
    expect(saver.read().isTyping).toBe(true);
    await pass(100);
    expect(saver.read()).toMatchObject({ isTyping: false, draft: { edits: { body: text } } });
    await pass(1_000);
    expect(saver.isDirty).toBe(false);
  });

  it("makes a title-only piece full content with its first words", async () => {
    const { saver, sent, pass } = openSaver({ body: "", isTitleOnly: true });
    saver.edit("body", "First words.");
    await pass(1_000);
    expect(sent[0]?.input).toEqual({ body: "First words.", isTitleOnly: false, version: 4 });
  });

  it("keeps what is typed during a save, and saves it next", async () => {
    const { saver, sent, server, pass } = openSaver();
    let finish: () => void = () => undefined;
    server.answer = () => new Promise((resolve) => (finish = resolve));
    saver.edit("body", `${BODY} a`);
    await pass(1_000);
    saver.edit("body", `${BODY} ab`);
    server.answer = () => undefined;
    finish();
    await pass(0);
    expect(saver.read().draft.edits).toEqual({ body: `${BODY} ab` });
    await pass(1_000);
    expect(sent.map(({ input }) => input)).toEqual([
      { body: `${BODY} a`, version: 4 },
      { body: `${BODY} ab`, version: 5 },
    ]);
  });

  it("sends nothing for surrounding white space", async () => {
    const { saver, sent, pass } = openSaver();
    saver.edit("body", `${BODY} `);
    await pass(60_000);
    expect(sent).toEqual([]);
  });
});

describe("a field that cannot be saved", () => {
  it("holds up no other: a blank title stays here", async () => {
    const { saver, sent, pass } = openSaver();
    saver.edit("title", " ");
    saver.edit("body", "New.");
    await pass(1_000);
    expect(sent.map(({ input }) => input)).toEqual([{ body: "New.", version: 4 }]);
    expect(saver.isDirty).toBe(true);
    expect(saver.mustAsk).toBe(true);
    await pass(60_000);
    expect(sent).toHaveLength(1);
    saver.edit("title", "A title");
    await pass(1_000);
    expect(sent.at(-1)?.input).toEqual({ title: "A title", version: 5 });
    expect(saver.isDirty).toBe(false);
  });

  it("is not sent again until it is changed: a status that publishing has locked", async () => {
    const { saver, sent, server, failures, pass } = openSaver();
    server.answer = ({ status }) => {
      if (status) throw refused(409, "STATUS_LOCKED");
      return undefined;
    };
    saver.edit("status", "review");
    saver.edit("body", "New.");
    await pass(3_000);
    expect(sent.map(({ input }) => input)).toEqual([
      { status: "review", body: "New.", version: 4 },
      { body: "New.", version: 4 },
    ]);
    expect(failures).toEqual([]);
    await pass(60_000);
    expect(sent).toHaveLength(2);
  });

  it("is the one the server names", async () => {
    const { saver, sent, server, pass } = openSaver();
    server.answer = ({ title }) => {
      if (title) throw refused(422, "VALIDATION_ERROR", { fields: { title: ["No."] } });
      return undefined;
    };
    saver.edit("title", "Not allowed");
    saver.edit("outline", "## One");
    await pass(3_000);
    expect(sent.at(-1)?.input).toEqual({ outline: "## One", isOutline: true, version: 4 });
    expect(saver.read().draft.edits).toEqual({ title: "Not allowed" });
  });
});

describe("a server that does not answer", () => {
  it("is retried after 5, 10, 20, 40, 60 and 60 seconds, with a single notification", async () => {
    const { saver, sent, server, failures, pass } = openSaver();
    server.answer = () => Promise.reject(OFFLINE);
    saver.edit("body", "New.");
    await pass(1_000);
    expect(saver.read().failure).toBe(OFFLINE);
    await pass(200_000);
    const gaps = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    expect(gaps).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(failures).toEqual([OFFLINE]);
    server.answer = () => undefined;
    saver.retryNow();
    await pass(1_000);
    expect(failures).toEqual([OFFLINE, null]);
    expect(saver.read()).toMatchObject({ failure: null, piece: { body: "New." } });
    expect(saver.isDirty).toBe(false);
  });

  it("is not asked more often because the user goes on typing", async () => {
    const { saver, sent, server, pass } = openSaver();
    server.answer = () => Promise.reject(OFFLINE);
    for (let key = 0; key < 60; key += 1) {
      saver.edit("body", `New ${key}.`);
      await pass(1_500);
    }
    expect(sent.length).toBeLessThanOrEqual(6);
  });

  it("may have saved all the same: the next attempt finds its own text there", async () => {
    const { saver, server, pass } = openSaver();
    server.answer = (input) => {
      server.change({ body: input.body ?? "" });
      server.answer = () => undefined;
      return Promise.reject(OFFLINE);
    };
    saver.edit("body", "New.");
    await pass(7_000);
    expect(server.stored).toMatchObject({ body: "New.", version: 5 });
    expect(saver.isDirty).toBe(false);
    expect(saver.read()).toMatchObject({ conflict: null, failure: null });
  });

  describe("and has saved all the same, while the user types on in the same line", () => {
    /** The first call is carried out, and its answer lost. */
    function openWithLostAnswer() {
      const parts = openSaver();
      const { server } = parts;
      server.answer = ({ version: _, body = "", ...changes }) => {
        server.change({ ...changes, body: body.trim() } as Partial<ContentOut>);
        server.answer = () => undefined;
        return Promise.reject(OFFLINE);
      };
      return parts;
    }

    it("is no conflict with oneself, nor a change elsewhere", async () => {
      const { saver, server, pass } = openWithLostAnswer();
      saver.edit("title", "Mine");
      saver.edit("body", "New.  ");
      await pass(1_000);
      saver.edit("body", "New. And more.");
      saver.edit("title", "Mine, too");
      await pass(7_000);
      expect(server.stored).toMatchObject({ title: "Mine, too", body: "New. And more.", version: 6 });
      expect(saver.read()).toMatchObject({ conflict: null, failure: null });
      expect(saver.isDirty).toBe(false);
      expect(saver.takeSaved()).toBe("saved");
    });

    it("is none after more attempts that were lost on their way", async () => {
      const { saver, server, pass } = openWithLostAnswer();
      saver.edit("body", "New.");
      await pass(1_000);
      server.answer = () => Promise.reject(OFFLINE);
      saver.edit("body", "New. And");
      await pass(10_000);
      saver.edit("body", "New. And more.");
      await pass(20_000);
      server.answer = () => undefined;
      await pass(60_000);
      expect(server.stored).toMatchObject({ body: "New. And more.", version: 6 });
      expect(saver.read().conflict).toBeNull();
    });

    it("is none when the page learns of the new version from elsewhere", async () => {
      const { saver, server, pass } = openWithLostAnswer();
      saver.edit("body", "New.");
      await pass(1_000);
      saver.edit("body", "New. And more.");
      saver.see(server.stored);
      expect(saver.read()).toMatchObject({ conflict: null, draft: { version: 5, edits: { body: "New. And more." } } });
    });

    it("is none for the page that finds the copy of a killed one", async () => {
      const { saver, server, pass, kept } = openWithLostAnswer();
      saver.edit("body", "New.");
      await pass(1_000);
      saver.edit("body", "New. And more.");
      await pass(1_000);
      const found = draftFromKept(JSON.parse(JSON.stringify(kept())), server.stored);
      const again = openSaver({ body: "New.", version: 5 });
      expect(await again.saver.restore(found as Draft)).toBe(true);
      await again.pass(1_000);
      expect(again.server.stored.body).toBe("New. And more.");
    });

    it("is one when somebody else has written over it", async () => {
      const { saver, server, pass } = openWithLostAnswer();
      saver.edit("body", "New.");
      await pass(1_000);
      server.change({ body: "New. Theirs." });
      saver.edit("body", "New. And more.");
      await pass(7_000);
      expect(saver.read().conflict).toMatchObject({ theirs: { body: "New. Theirs." } });
      expect(server.stored.body).toBe("New. Theirs.");
    });
  });

  it.each([
    ["the session has ended", () => sessionEnd()],
    ["the piece is gone", async () => refused(404, "NOT_FOUND")],
  ])("is left alone until the person saves, once %s", async (_what, errorOf) => {
    const { saver, sent, server, pass } = openSaver();
    const error = await errorOf();
    server.answer = () => Promise.reject(error);
    saver.edit("body", "New.");
    await pass(1_000);
    saver.edit("body", "Newer.");
    saver.retryNow();
    await pass(300_000);
    expect(sent).toHaveLength(1);
    server.answer = () => undefined;
    await saver.save();
    expect(server.stored.body).toBe("Newer.");
  });
});

describe("a page that may be gone in a moment", () => {
  it("sends what a browser sends for it, and needs no question", async () => {
    const { saver, sent, pass } = openSaver();
    saver.edit("body", "New.");
    expect(saver.mustAsk).toBe(false);
    saver.flush();
    await pass(0);
    expect(sent).toEqual([{ input: { body: "New.", version: 4 }, at: 0, isLast: true }]);
  });

  it("leaves a longer text to its copy, and asks until there is one", async () => {
    const { saver, sent, copies, pass } = openSaver();
    const long = "äöü ".repeat(9_000);
    saver.edit("body", long);
    expect(saver.mustAsk).toBe(true);
    saver.flush();
    await pass(0);
    expect(sent).toEqual([]);
    expect(copies).toEqual([{ body: long }]);
    expect(saver.mustAsk).toBe(false);
  });
});
