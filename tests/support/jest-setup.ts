// Loading its matchers takes 0.1 s, and only browser environments use them.
beforeAll(async () => {
  if ("document" in globalThis) await import("@/tests/support/dom-matchers");
});

// Queue tests, and a screen's first test with a cold cache, can exceed jest's five seconds on a busy machine.
jest.setTimeout(30_000);

// jest sets 100: React makes an Error for each element it creates, and the stacks were a tenth of the time.
Error.stackTraceLimit = 10;

// A test that prints an error it did not expect has found something: fail it.
let printed: unknown[][] = [];

beforeEach(() => {
  printed = [];
  jest.spyOn(console, "error").mockImplementation((...args: unknown[]) => {
    printed.push(args);
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  if (printed.length > 0)
    throw new Error(`Unexpected console.error: ${printed.map((args) => args.join(" ")).join("\n")}`);
});
