import { PassThrough } from "node:stream";
import { endWithLauncher } from "@/lib/transport/launcher";

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
});
afterEach(() => {
  jest.useRealTimers();
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

function watched() {
  const input = new PassThrough();
  const asked: boolean[] = [];
  endWithLauncher(input, (hurry) => asked.push(hurry));
  return { input, asked };
}

it.each([
  ["the launcher's end closes it", (input: PassThrough) => input.end()],
  ["reading it fails", (input: PassThrough) => input.destroy(new Error("EIO"))],
])("ends this process in order when %s", async (_what, close) => {
  const { input, asked } = watched();
  await settled();
  expect(asked).toEqual([]);
  close(input);
  await settled();
  expect(asked).toEqual([false]);
});

it("does not wait for a request that never ends", async () => {
  const { input, asked } = watched();
  input.end();
  await settled();
  jest.advanceTimersByTime(25_000);
  expect(asked).toEqual([false, true]);
});
