/** @jest-environment jsdom */
import { type Draft, draftFromKept } from "@/components/content/draft";
import { DraftSaver } from "@/components/content/draft-saver";
import type { SaverOptions } from "@/components/content/saver-state";
import { ApiError, actionData } from "@/lib/client/api";
import type { ContentOut, UpdateContentInput } from "@/lib/features/content/schema";
import { aPiece } from "@/tests/support/pieces";

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

const BODY = "One.\n\nTwo.";
const OFFLINE = new TypeError("Failed to fetch");
const refused = (status: number, type: string, extra: Partial<{ fields: object; current: ContentOut }> = {}) =>
  new ApiError(status, "No.", true, type as never, (extra.fields ?? {}) as never, extra as never);

/** The failure of a call after which the page says that the session has ended. */
function sessionEnd(): Promise<unknown> {
  const error = { error: "Sign in.", type: "UNAUTHENTICATED" as never, status: 401, requestId: "1" };
  return actionData(Promise.resolve({ ok: false, error })).catch((thrown: unknown) => thrown);
}

/** A saver over a server that keeps the piece; `answer` may refuse a call. */
function open(parts: Partial<ContentOut> = {}) {
  let stored = aPiece({ body: BODY, version: 4, ...parts });
  const sent: { input: UpdateContentInput; at: number; isLast: boolean }[] = [];
  const copies: unknown[] = [];
  let kept: unknown;
  const failures: unknown[] = [];
  /** What the server has kept as revisions when it refused it. */
  const asides: unknown[] = [];
  const server = {
    answer: (_input: UpdateContentInput): Promise<void> | undefined => undefined,
    change(changes: Partial<ContentOut>) {
      stored = { ...stored, ...changes, version: stored.version + 1 };
      return stored;
    },
    get stored() {
      return stored;
    },
  };
  const options: SaverOptions = {
    async send(input, { isLast }) {
      sent.push({ input, at: Date.now(), isLast });
      await server.answer(input);
      const { version, ...changes } = input;
      if (version !== stored.version) {
        asides.push(changes);
        throw refused(409, "VERSION_CONFLICT", { current: stored });
      }
      return server.change(changes as Partial<ContentOut>);
    },
    keep: async (draft) => {
      kept = draft;
      copies.push(draft?.edits ?? null);
      return true;
    },
    onFailure: (error) => failures.push(error),
  };
  const saver = new DraftSaver(stored, options);
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  return { saver, sent, copies, failures, asides, server, pass, kept: () => kept };
}

describe("saving by itself", () => {
  it("waits for a second without a key, and erases its copy", async () => {
    const { saver, sent, copies, pass } = open();
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
    const { saver, sent, copies, pass } = open();
    for (let key = 0; key < 110; key += 1) {
      saver.edit("body", `${BODY} ${key}`);
      await pass(100);
    }
    expect(sent.map(({ at }) => at)).toEqual([10_000]);
    expect(copies.length).toBeGreaterThanOrEqual(9);
  });

  it("reads a long text that is typed at a pause, for a copy, and for a save", async () => {
    const { saver, copies, pass } = open({ body: "x".repeat(3_000) });
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
    const { saver, sent, pass } = open({ body: "", isTitleOnly: true });
    saver.edit("body", "First words.");
    await pass(1_000);
    expect(sent[0]?.input).toEqual({ body: "First words.", isTitleOnly: false, version: 4 });
  });

  it("keeps what is typed during a save, and saves it next", async () => {
    const { saver, sent, server, pass } = open();
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
    const { saver, sent, pass } = open();
    saver.edit("body", `${BODY} `);
    await pass(60_000);
    expect(sent).toEqual([]);
  });
});

describe("a field that cannot be saved", () => {
  it("holds up no other: a blank title stays here", async () => {
    const { saver, sent, pass } = open();
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
    const { saver, sent, server, failures, pass } = open();
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
    const { saver, sent, server, pass } = open();
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
    const { saver, sent, server, failures, pass } = open();
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

  it("is not asked more often because the person goes on typing", async () => {
    const { saver, sent, server, pass } = open();
    server.answer = () => Promise.reject(OFFLINE);
    for (let key = 0; key < 60; key += 1) {
      saver.edit("body", `New ${key}.`);
      await pass(1_500);
    }
    expect(sent.length).toBeLessThanOrEqual(6);
  });

  it("may have saved all the same: the next attempt finds its own text there", async () => {
    const { saver, server, pass } = open();
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

  describe("and has saved all the same, while the person types on in the same line", () => {
    /** The first call is carried out, and its answer lost. */
    function openWithLostAnswer() {
      const parts = open();
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
      const again = open({ body: "New.", version: 5 });
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
    const { saver, sent, server, pass } = open();
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

describe("a newer version", () => {
  it("is merged with when the save meets it", async () => {
    const { saver, sent, server, pass } = open();
    saver.edit("body", "One, mine.\n\nTwo.");
    server.change({ body: "One.\n\nTwo, theirs." });
    await pass(1_000);
    expect(server.stored.body).toBe("One, mine.\n\nTwo, theirs.");
    expect(sent).toHaveLength(2);
    expect(saver.takeSaved()).toBe("merged");
    expect(saver.takeSaved()).toBe("nothing");
  });

  it("is merged with before a save when it is known, which spares the server a refusal", async () => {
    const { saver, sent, server, pass } = open();
    saver.edit("body", "One, mine.\n\nTwo.");
    saver.see(server.change({ body: "One.\n\nTwo, theirs." }));
    expect(saver.read().draft.edits).toEqual({ body: "One, mine.\n\nTwo, theirs." });
    await pass(1_000);
    expect(sent.map(({ input }) => input)).toEqual([{ body: "One, mine.\n\nTwo, theirs.", version: 5 }]);
  });

  it("that has the same lines stops saving until the person has chosen", async () => {
    const { saver, sent, copies, server, pass } = open();
    saver.edit("body", "One, mine.\n\nTwo.");
    server.change({ body: "One, theirs.\n\nTwo." });
    await pass(1_000);
    expect(saver.read().conflict).toMatchObject({ theirs: { version: 5 } });
    saver.edit("body", "One, mine!\n\nTwo.");
    saver.retryNow();
    await pass(60_000);
    expect(sent).toHaveLength(1);
    expect(copies.at(-1)).toEqual({ body: "One, mine!\n\nTwo." });
    expect(saver.mustAsk).toBe(true);
    await saver.resolve({ version: 5, edits: { body: "One, both.\n\nTwo." } });
    expect(server.stored).toMatchObject({ body: "One, both.\n\nTwo.", version: 6 });
    expect(saver.read().conflict).toBeNull();
    saver.edit("body", "One, both!\n\nTwo.");
    await pass(1_000);
    expect(server.stored.body).toBe("One, both!\n\nTwo.");
  });

  it("is taken over as a whole", async () => {
    const { saver, server, copies, asides, pass } = open();
    saver.edit("body", "One, mine.\n\nTwo.");
    server.change({ body: "One, theirs.\n\nTwo." });
    await pass(1_000);
    await saver.takeTheirs();
    expect(saver.read()).toMatchObject({ conflict: null, saving: "no", piece: { body: "One, theirs.\n\nTwo." } });
    expect(saver.isDirty).toBe(false);
    expect(copies.at(-1)).toBeNull();
    expect(asides).toEqual([{ body: "One, mine.\n\nTwo." }]);
  });

  describe("that has the same lines, while the person typed on before choosing", () => {
    async function openTypedOn() {
      const opened = open();
      opened.saver.edit("body", "One, mine.\n\nTwo.");
      opened.server.change({ body: "One, theirs.\n\nTwo." });
      await opened.pass(1_000);
      opened.saver.edit("body", "One, mine, and more.\n\nTwo.");
      opened.saver.edit("title", " ");
      return opened;
    }
    const ALL = [{ body: "One, mine.\n\nTwo." }, { body: "One, mine, and more.\n\nTwo." }];

    it("has the server keep all of it before it takes the other version", async () => {
      const { saver, asides, server } = await openTypedOn();
      await saver.takeTheirs();
      expect(asides).toEqual(ALL);
      expect(server.stored).toMatchObject({ body: "One, theirs.\n\nTwo.", version: 5 });
      expect(saver.isDirty).toBe(false);
    });

    it("has the server keep all of it before it saves the choices", async () => {
      const { saver, asides, server } = await openTypedOn();
      await saver.resolve({ version: 5, edits: { body: "One, chosen.\n\nTwo." } });
      expect(asides).toEqual(ALL);
      expect(server.stored).toMatchObject({ body: "One, chosen.\n\nTwo.", version: 6 });
    });

    it("keeps both again when the other version has gone on, which a sitting's revision would swallow", async () => {
      const { saver, asides, server, pass } = open();
      saver.edit("body", "One, mine.\n\nTwo.");
      server.change({ body: "One, theirs.\n\nTwo." });
      await pass(1_000);
      saver.see(server.change({ body: "One, theirs again.\n\nTwo." }));
      await saver.resolve({ version: 6, edits: { body: "One, mine.\n\nTwo." } });
      expect(asides).toHaveLength(2);
      expect(server.stored).toMatchObject({ body: "One, mine.\n\nTwo.", version: 7 });
    });

    it("has the server keep the last key of a long text", async () => {
      const start = "x".repeat(3_000);
      const { saver, asides, server, pass } = open({ body: start });
      saver.edit("body", `${start} mine`);
      server.change({ body: `${start} theirs` });
      await pass(1_000);
      saver.type("body", () => `${start} mine, last`, 3_010);
      await saver.takeTheirs();
      expect(asides.at(-1)).toEqual({ body: `${start} mine, last` });
    });

    it("gives up nothing when the server cannot be reached", async () => {
      const { saver, server, pass } = await openTypedOn();
      server.answer = () => Promise.reject(OFFLINE);
      await expect(saver.takeTheirs()).rejects.toBe(OFFLINE);
      await pass(1_000);
      expect(saver.read()).toMatchObject({
        conflict: { theirs: { version: 5 } },
        draft: { edits: { body: "One, mine, and more.\n\nTwo." } },
      });
    });
  });
});

describe("a page that may be gone in a moment", () => {
  it("sends what a browser sends for it, and needs no question", async () => {
    const { saver, sent, pass } = open();
    saver.edit("body", "New.");
    expect(saver.mustAsk).toBe(false);
    saver.flush();
    await pass(0);
    expect(sent).toEqual([{ input: { body: "New.", version: 4 }, at: 0, isLast: true }]);
  });

  it("leaves a longer text to its copy, and asks until there is one", async () => {
    const { saver, sent, copies, pass } = open();
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

describe("edits that were kept", () => {
  const base = { title: aPiece().title, body: BODY, outline: "", status: "draft" } as const;

  it("are saved again", async () => {
    const { saver, server, pass } = open();
    expect(await saver.restore({ version: 4, edits: { body: "Kept." }, base })).toBe(true);
    await pass(1_000);
    expect(server.stored.body).toBe("Kept.");
  });

  it("are merged with what was saved since", async () => {
    const { saver, server, pass } = open({ version: 9, body: "One.\n\nTwo, since." });
    expect(await saver.restore({ version: 4, edits: { body: "One, kept.\n\nTwo." }, base })).toBe(true);
    await pass(1_000);
    expect(server.stored.body).toBe("One, kept.\n\nTwo, since.");
  });

  it("are asked about where that is not possible", async () => {
    const { saver, sent, pass } = open({ version: 9, body: "One, since.\n\nTwo." });
    expect(await saver.restore({ version: 4, edits: { body: "One, kept.\n\nTwo." }, base })).toBe(false);
    await pass(10_000);
    expect(sent).toEqual([]);
    expect(saver.read()).toMatchObject({
      conflict: { theirs: { version: 9 } },
      draft: { edits: { body: "One, kept.\n\nTwo." } },
    });
  });

  it("are no save when the other version is taken, though they are newer than what the page knows", async () => {
    const { saver, server, asides } = open({ version: 9, body: "One, since.\n\nTwo." });
    server.change({ body: "One, last.\n\nTwo." });
    await saver.restore({ version: 10, edits: { body: "One, kept.\n\nTwo." }, base });
    await saver.takeTheirs();
    expect(asides).toEqual([{ body: "One, kept.\n\nTwo." }]);
    expect(server.stored).toMatchObject({ body: "One, last.\n\nTwo.", version: 10 });
  });

  it("are a revision before the other version is taken", async () => {
    const { saver, asides } = open({ version: 9, body: "One, since.\n\nTwo." });
    await saver.restore({ version: 4, edits: { body: "One, kept.\n\nTwo." }, base });
    await saver.takeTheirs();
    expect(asides).toEqual([{ body: "One, kept.\n\nTwo." }]);
    expect(saver.isDirty).toBe(false);
  });
});
