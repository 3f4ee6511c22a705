/** @jest-environment jsdom */
import { EMPTY_DRAFT, fieldsOf } from "@/components/content/draft";
import { BODY, OFFLINE, openSaver } from "@/tests/support/draft-saver";
import { aPiece } from "@/tests/support/pieces";

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

describe("a newer version", () => {
  it("is merged with when the save meets it", async () => {
    const { saver, sent, server, pass } = openSaver();
    saver.edit("body", "One, mine.\n\nTwo.");
    server.change({ body: "One.\n\nTwo, theirs." });
    await pass(1_000);
    expect(server.stored.body).toBe("One, mine.\n\nTwo, theirs.");
    expect(sent).toHaveLength(2);
    expect(saver.takeSaved()).toBe("merged");
    expect(saver.takeSaved()).toBe("nothing");
  });

  it("is merged with before a save when it is known, which spares the server a refusal", async () => {
    const { saver, sent, server, pass } = openSaver();
    saver.edit("body", "One, mine.\n\nTwo.");
    saver.see(server.change({ body: "One.\n\nTwo, theirs." }));
    expect(saver.read().draft.edits).toEqual({ body: "One, mine.\n\nTwo, theirs." });
    await pass(1_000);
    expect(sent.map(({ input }) => input)).toEqual([{ body: "One, mine.\n\nTwo, theirs.", version: 5 }]);
  });

  it("that has the same lines stops saving until the user has chosen", async () => {
    const { saver, sent, copies, server, pass } = openSaver();
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
    const { saver, server, copies, asides, pass } = openSaver();
    saver.edit("body", "One, mine.\n\nTwo.");
    server.change({ body: "One, theirs.\n\nTwo." });
    await pass(1_000);
    await saver.takeTheirs();
    expect(saver.read()).toMatchObject({ conflict: null, saving: "no", piece: { body: "One, theirs.\n\nTwo." } });
    expect(saver.isDirty).toBe(false);
    expect(copies.at(-1)).toBeNull();
    expect(asides).toEqual([{ body: "One, mine.\n\nTwo." }]);
  });

  describe("that has the same lines, while the user typed on before choosing", () => {
    async function openTypedOn() {
      const opened = openSaver();
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
      const { saver, asides, server, pass } = openSaver();
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
      const { saver, asides, server, pass } = openSaver({ body: start });
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

describe("edits that were kept", () => {
  const base = fieldsOf(aPiece({ body: BODY }), EMPTY_DRAFT);

  it("are saved again", async () => {
    const { saver, server, pass } = openSaver();
    expect(await saver.restore({ version: 4, edits: { body: "Kept." }, base })).toBe(true);
    await pass(1_000);
    expect(server.stored.body).toBe("Kept.");
  });

  it("are merged with what was saved since", async () => {
    const { saver, server, pass } = openSaver({ version: 9, body: "One.\n\nTwo, since." });
    expect(await saver.restore({ version: 4, edits: { body: "One, kept.\n\nTwo." }, base })).toBe(true);
    await pass(1_000);
    expect(server.stored.body).toBe("One, kept.\n\nTwo, since.");
  });

  it("are asked about where that is not possible", async () => {
    const { saver, sent, pass } = openSaver({ version: 9, body: "One, since.\n\nTwo." });
    expect(await saver.restore({ version: 4, edits: { body: "One, kept.\n\nTwo." }, base })).toBe(false);
    await pass(10_000);
    expect(sent).toEqual([]);
    expect(saver.read()).toMatchObject({
      conflict: { theirs: { version: 9 } },
      draft: { edits: { body: "One, kept.\n\nTwo." } },
    });
  });

  it("are no save when the other version is taken, though they are newer than what the page knows", async () => {
    const { saver, server, asides } = openSaver({ version: 9, body: "One, since.\n\nTwo." });
    server.change({ body: "One, last.\n\nTwo." });
    await saver.restore({ version: 10, edits: { body: "One, kept.\n\nTwo." }, base });
    await saver.takeTheirs();
    expect(asides).toEqual([{ body: "One, kept.\n\nTwo." }]);
    expect(server.stored).toMatchObject({ body: "One, last.\n\nTwo.", version: 10 });
  });

  it("are a revision before the other version is taken", async () => {
    const { saver, asides } = openSaver({ version: 9, body: "One, since.\n\nTwo." });
    await saver.restore({ version: 4, edits: { body: "One, kept.\n\nTwo." }, base });
    await saver.takeTheirs();
    expect(asides).toEqual([{ body: "One, kept.\n\nTwo." }]);
    expect(saver.isDirty).toBe(false);
  });
});
