import "@testing-library/jest-dom";

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
