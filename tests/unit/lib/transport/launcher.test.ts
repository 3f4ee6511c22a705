import { PassThrough } from "node:stream";
import { exitWithLauncher } from "@/lib/transport/launcher";

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
});
afterEach(() => {
  jest.useRealTimers();
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

function watched() {
  const input = new PassThrough();
  const exits: boolean[] = [];
  exitWithLauncher(input, (hurry) => exits.push(hurry));
  return { input, exits };
}

it.each([
  ["the launcher ends and closes the pipe", (input: PassThrough) => input.end()],
  ["reading the pipe fails", (input: PassThrough) => input.destroy(new Error("EIO"))],
])("shuts this process down when %s", async (_what, close) => {
  const { input, exits } = watched();
  await settled();
  expect(exits).toEqual([]);
  close(input);
  await settled();
  expect(exits).toEqual([false]);
});

it("does not wait for a request that never ends", async () => {
  const { input, exits } = watched();
  input.end();
  await settled();
  jest.advanceTimersByTime(25_000);
  expect(exits).toEqual([false, true]);
});
