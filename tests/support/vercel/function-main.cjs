// Runs one function of a Vercel build as Vercel's runtime does: `function-main.cjs <launcher>`. Prints its port.
const http = require("node:http");
const { Readable } = require("node:stream");

globalThis[Symbol.for("@vercel/request-context")] = {
  get: () => ({ waitUntil: (work) => void work?.catch?.(() => {}) }),
};

const launcher = process.argv[2];
const exported = require(launcher);
const handler = exported.default ?? exported;
const takesRequests = handler.length === 1;

http
  .createServer(async (incoming, outgoing) => {
    try {
      if (takesRequests) await answerRequest(incoming, outgoing);
      else await handler(incoming, outgoing);
    } catch (error) {
      console.error(error);
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end("FUNCTION_INVOCATION_FAILED");
    }
  })
  .listen(0, "127.0.0.1", function listening() {
    process.stdout.write(`port ${this.address().port}\n`);
  });

/** The proxy takes a web request. */
async function answerRequest(incoming, outgoing) {
  const { method, headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(`https://${headers.host}${incoming.url}`, {
    method,
    headers,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: "half" } : {}),
  });
  const answer = await handler(request);
  const cookies = answer.headers.getSetCookie();
  const given = Object.fromEntries([...answer.headers].filter(([name]) => name !== "set-cookie"));
  outgoing.writeHead(answer.status, { ...given, ...(cookies.length > 0 ? { "set-cookie": cookies } : {}) });
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
}
