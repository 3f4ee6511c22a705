import { MAX_BODY, MAX_CONTENT_BODY, parseJson, readBody, requireJsonContentType } from "@/lib/transport/body";

const JSON_TYPE = { "content-type": "application/json" };

function post(body: BodyInit | null, headers: Record<string, string> = JSON_TYPE): Request {
  const init = { method: "POST", headers, body, ...(body instanceof ReadableStream ? { duplex: "half" } : {}) };
  return new Request("http://localhost:3000/api/it", init);
}

/** A body without a Content-Length. */
function chunked(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

const type = (thrown: unknown) => (thrown as { type?: string }).type;
const outcome = (request: Request, max: number) => readBody(request, max).catch(type);

it("reads a body as it was sent, in one piece or in chunks", async () => {
  expect(await readBody(post('{"a":1}'), 7)).toBe('{"a":1}');
  expect(await readBody(post(chunked('{"a":"', "ä", '"}')), 10)).toBe('{"a":"ä"}');
  expect(await readBody(post(null, {}), 7)).toBe("");
});

it("accepts a body of exactly the limit and refuses one byte more", async () => {
  expect([MAX_BODY, MAX_CONTENT_BODY]).toEqual([1_048_576, 4_194_304]);
  expect(await outcome(post(chunked("1234", "567")), 7)).toBe("1234567");
  expect(await outcome(post(chunked("1234", "5678")), 7)).toBe("PAYLOAD_TOO_LARGE");
});

it("takes a sender that went away for no fault of the database", async () => {
  const aborted = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  const body = new ReadableStream({ start: (controller) => controller.error(aborted) });
  expect(await outcome(post(body), 7)).toBe("VALIDATION_ERROR");
});

it("refuses a body by its declared length, before reading it", async () => {
  const declared = (bytes: number) => post(chunked("12"), { ...JSON_TYPE, "content-length": `${bytes}` });
  expect(await outcome(declared(8), 7)).toBe("PAYLOAD_TOO_LARGE");
  expect(await outcome(declared(7), 7)).toBe("12");
});

it("refuses a body that is not declared as JSON", async () => {
  for (const accepted of ["application/json", "Application/JSON; charset=utf-8", "application/json ;x"]) {
    expect(await outcome(post("{}", { "content-type": accepted }), 7)).toBe("{}");
    expect(() => requireJsonContentType(new Headers({ "content-type": accepted }))).not.toThrow();
  }
  for (const refused of ["text/plain", "application/jsonp", "multipart/form-data; boundary=x", ""]) {
    expect(await outcome(post("{}", { "content-type": refused }), 7)).toBe("UNSUPPORTED_MEDIA_TYPE");
    expect(() => requireJsonContentType(new Headers({ "content-type": refused }))).toThrow("application/json");
  }
  expect(await outcome(post(new Uint8Array([123, 125]), {}), 7)).toBe("UNSUPPORTED_MEDIA_TYPE");
  expect(() => requireJsonContentType(new Headers())).not.toThrow();
});

it("accepts ten thousand JSON values at most", () => {
  const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => 0));
  expect(parseJson("")).toBeUndefined();
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(() => parseJson("{")).toThrow("The request body is not valid JSON.");
  const isAccepted = (count: number) => {
    try {
      parseJson(list(count));
      return true;
    } catch (error) {
      expect(error).toMatchObject({ message: "The request body has too many values. Send fewer of them." });
      return false;
    }
  };
  const most = [9_998, 9_999, 10_000, 10_001].filter(isAccepted).at(-1);
  expect(most).toBe(10_000);
});
