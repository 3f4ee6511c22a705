import path from "node:path";
import { z } from "zod";

/** Every line of a failure begins with this: .ci/run looks for it, to say at the end what failed. */
const MARK = "✗ ";
const MAX_FAILURES = 20;
const MAX_LINES = 15;
const MAX_LINE = 300;
// The colours of a terminal.
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

type Failure = { test: string; message: string };

const jestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      /** What kept the file from running, if anything did. */
      message: z.string().catch(""),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).catch([]) }),
      ),
      status: z.string(),
    }),
  ),
});

const errorOfPlaywright = z.object({ message: z.string().catch("") });
const spec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ errors: z.array(errorOfPlaywright).catch([]) })),
    }),
  ),
});
type Suite = { specs: z.infer<typeof spec>[]; suites?: Suite[] | undefined };
const suite: z.ZodType<Suite> = z.lazy(() => z.object({ specs: z.array(spec), suites: z.array(suite).optional() }));
const playwrightReport = z.object({ suites: z.array(suite), errors: z.array(errorOfPlaywright).catch([]) });

/** The failed tests of jest's `--json` report, as lines to print; none for a report of another shape. */
export function jestFailures(report: unknown): string[] {
  const { data } = jestReport.safeParse(report);
  const failures = (data?.testResults ?? []).flatMap(({ name, message, status, assertionResults }) => {
    const file = path.relative(process.cwd(), name);
    const failed = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({ test: `${file} › ${test.fullName}`, message: test.failureMessages.join("\n") }));
    return failed.length === 0 && status === "failed" ? [{ test: file, message }] : failed;
  });
  return linesOf(failures);
}

/** The failed and flaky tests of Playwright's JSON report, as lines to print; none for a report of another shape. */
export function playwrightFailures(report: unknown): string[] {
  const { data } = playwrightReport.safeParse(report);
  const failed = (data?.suites ?? []).flatMap(specsOf).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ results }) => ({
        test: `${file} › ${title}`,
        message: messageOf(results.flatMap(({ errors }) => errors)),
      })),
  );
  const outside = (data?.errors ?? []).map((error) => ({ test: "outside of the tests", message: error.message }));
  return linesOf([...failed, ...outside]);
}

function specsOf({ specs, suites = [] }: Suite): Suite["specs"] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function messageOf(errors: z.infer<typeof errorOfPlaywright>[]): string {
  return errors.map(({ message }) => message).join("\n");
}

function linesOf(failures: Failure[]): string[] {
  const lines = failures.slice(0, MAX_FAILURES).flatMap(({ test, message }) => [
    test,
    ...message
      .replace(COLOURS, "")
      .split("\n")
      .filter((line) => line.trim() !== "" && !line.includes("node_modules"))
      .slice(0, MAX_LINES)
      .map((line) => `    ${line}`),
  ]);
  const more = failures.length - MAX_FAILURES;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => MARK + line.slice(0, MAX_LINE));
}
