import type { ServerResponse } from "node:http";
import { createAiProvider } from "@/lib/ai/provider";
import { serveSite } from "@/tests/support/outgoing";

const messages = [{ role: "user" as const, content: "Write" }];
const CHUNK = `data: ${JSON.stringify({ choices: [{ delta: { content: "word " }, finish_reason: null }] })}\n\n`;
const WHOLE = JSON.stringify({ choices: [{ message: { content: "Late." }, finish_reason: "stop" }] });

let models = 0;

/** Asks a provider that answers like this, with these limits in milliseconds. */
async function ask(
  answer: (response: ServerResponse, later: (ms: number, then: () => void) => void) => void,
  times: { firstByteMs: number; silenceMs: number; callMs: number },
): Promise<string> {
  const { url } = await serveSite((_request, response) => answer(response, (ms, then) => setTimeout(then, ms).unref()));
  const ai = createAiProvider({ apiKey: "k", baseUrl: url, model: `slow-${models++}`, times });
  return ai.complete({ messages }).then(
    ({ text }) => text,
    (error: { type?: string }) => String(error.type ?? error),
  );
}

const stream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const LONG = 60_000;

it("gives up on a provider that shows no sign of life", async () => {
  expect(await ask(() => {}, { firstByteMs: 150, silenceMs: LONG, callMs: LONG })).toBe("AI_TIMEOUT");
});

it("waits for the first byte after the headers as long as for the headers", async () => {
  const answer = await ask(
    (response, later) => {
      stream(response).flushHeaders();
      later(500, () => response.end(`${CHUNK}data: [DONE]\n\n`));
    },
    { firstByteMs: 5_000, silenceMs: 100, callMs: LONG },
  );
  expect(answer).toBe("word");
});

it("gives the first byte time after headers that came late", async () => {
  const answer = await ask(
    (response, later) => {
      later(300, () => stream(response).flushHeaders());
      later(700, () => response.end(`${CHUNK}data: [DONE]\n\n`));
    },
    { firstByteMs: 500, silenceMs: 5_000, callMs: LONG },
  );
  expect(answer).toBe("word");
});

it("gives up on a stream that falls silent", async () => {
  const answer = await ask((response) => stream(response).write(CHUNK), {
    firstByteMs: LONG,
    silenceMs: 150,
    callMs: LONG,
  });
  expect(answer).toBe("AI_TIMEOUT");
});

it("takes comment lines for signs of life", async () => {
  const answer = await ask(
    (response, later) => {
      stream(response).write(": OPENROUTER PROCESSING\n\n");
      for (let n = 1; n <= 8; n++) later(n * 100, () => response.write(": OPENROUTER PROCESSING\n\n"));
      later(900, () => response.end(`${CHUNK}data: [DONE]\n\n`));
    },
    { firstByteMs: 500, silenceMs: 500, callMs: LONG },
  );
  expect(answer).toBe("word");
});

it("ends a call that lives on too long", async () => {
  const answer = await ask(
    (response) => {
      stream(response).write(CHUNK);
      const timer = setInterval(() => response.write(CHUNK), 50);
      response.on("close", () => clearInterval(timer));
    },
    { firstByteMs: LONG, silenceMs: LONG, callMs: 400 },
  );
  expect(answer).toBe("AI_TIMEOUT");
});

describe("a provider that does not stream", () => {
  /** Refuses to stream, then answers after 600 ms. */
  const refusing = () => {
    let asked = 0;
    return (response: ServerResponse, later: (ms: number, then: () => void) => void) => {
      const send = (status: number, body: string) =>
        response.writeHead(status, { "content-type": "application/json" }).end(body);
      if (asked++ === 0)
        send(400, JSON.stringify({ error: { message: "Streaming is not supported", param: "stream" } }));
      else later(600, () => send(200, WHOLE));
    };
  };

  it("has the time of the whole call", async () => {
    expect(await ask(refusing(), { firstByteMs: 300, silenceMs: 300, callMs: LONG })).toBe("Late.");
  });

  it("has no more than that", async () => {
    expect(await ask(refusing(), { firstByteMs: LONG, silenceMs: LONG, callMs: 300 })).toBe("AI_TIMEOUT");
  });

  it("may send a whole answer slowly though it was asked to stream", async () => {
    const answer = await ask(
      (response, later) => {
        response.writeHead(200, { "content-type": "application/json" }).write(WHOLE.slice(0, 5));
        later(500, () => response.end(WHOLE.slice(5)));
      },
      { firstByteMs: 300, silenceMs: 100, callMs: LONG },
    );
    expect(answer).toBe("Late.");
  });
});
