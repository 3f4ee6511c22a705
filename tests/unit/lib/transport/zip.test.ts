/** @jest-environment node */
import { randomBytes } from "node:crypto";
import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { zipResponse } from "@/lib/transport/zip";

const PART_LENGTH = 100_000;
const PARTS = 200;

it("reads a long file no faster than the client does, and sends all of it", async () => {
  const part = randomBytes(PART_LENGTH / 2).toString("hex");
  let read = 0;
  async function* parts() {
    for (; read < PARTS; read++) yield part;
  }
  async function* files() {
    yield { path: "short.txt", text: "short" };
    yield { path: "long.txt", text: parts() };
  }
  const response = zipResponse(files(), "all.zip", new Request("http://x.example"), "id");
  const sent: Uint8Array[] = [];
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const readUntil = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      const { done, value } = await reader.read();
      if (done) return;
      sent.push(value);
    }
  };
  await readUntil(() => read > 0);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(read).toBeLessThan(PARTS / 4);

  await readUntil(() => false);
  const bytes = new Uint8Array(Buffer.concat(sent));
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries();
  const texts = await Promise.all(
    entries.map((entry) => ("getData" in entry && entry.getData ? entry.getData(new TextWriter()) : "")),
  );
  expect(texts).toEqual(["short", part.repeat(PARTS)]);
});

it("hands short parts to the compressor together: each chunk costs it 50 KB of garbage", async () => {
  async function* parts() {
    for (let part = 0; part < 10_000; part++) yield "0123456789";
  }
  async function* files() {
    yield { path: "long.txt", text: parts() };
  }
  const encode = jest.spyOn(TextEncoder.prototype, "encode");
  await zipResponse(files(), "all.zip", new Request("http://x.example"), "id").arrayBuffer();
  const chunks = encode.mock.results.filter(({ value }) => value.length > 0 && value.length % 10 === 0);
  expect(chunks.reduce((bytes, { value }) => bytes + value.length, 0)).toBeGreaterThanOrEqual(100_000);
  expect(chunks.length).toBeLessThan(20);
  encode.mockRestore();
});
