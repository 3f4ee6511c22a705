import { z } from "zod";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { failureBody, toAppError, validationError } from "@/lib/transport/reply";

const logged = { warn: 0, error: 0 };
beforeEach(() => {
  Object.assign(logged, { warn: 0, error: 0 });
  for (const level of ["warn", "error"] as const) {
    jest.spyOn(log, level).mockImplementation(() => {
      logged[level]++;
    });
  }
});

const databaseError = (code: string) => Object.assign(new Error("of the database"), { code });

it.each([
  ["an expected refusal is not logged", new AppError("DUPLICATE"), "DUPLICATE", 0, 0],
  ["a refusal with a cause is logged", new AppError("DUPLICATE", { cause: databaseError("x") }), "DUPLICATE", 1, 0],
  ["an internal error is logged", new AppError("INTERNAL"), "INTERNAL", 1, 0],
  ["an unavailable service is logged", new AppError("SERVICE_UNAVAILABLE"), "SERVICE_UNAVAILABLE", 1, 0],
  ["an unreachable database is logged as an error", databaseError("P1001"), "SERVICE_UNAVAILABLE", 0, 1],
  ["a missing parent row means not found", databaseError("P2003"), "NOT_FOUND", 0, 0],
  ["an unexpected error is logged as an error", new TypeError("x is not a function"), "INTERNAL", 0, 1],
])("%s", (_, thrown, type, warnings, errors) => {
  expect(toAppError(thrown, "mine").type).toBe(type);
  expect(logged).toEqual({ warn: warnings, error: errors });
});

it("returns an AppError as it is, and keeps any other error as the cause", () => {
  const refusal = new AppError("DUPLICATE");
  expect(toAppError(refusal, "mine")).toBe(refusal);
  const [away, gone, bug] = [databaseError("P1001"), databaseError("P2003"), new TypeError("x is not a function")];
  expect(toAppError(away, "mine")).toMatchObject({ cause: away, retryAfter: 5 });
  expect(toAppError(gone, "mine")).toMatchObject({ cause: gone });
  expect(toAppError(bug, "mine")).toMatchObject({ cause: bug });
});

it("sends the fields and details that an error has", () => {
  const body = { error: "This already exists.", type: "DUPLICATE", requestId: "mine" };
  expect(failureBody(new AppError("DUPLICATE"), "mine")).toStrictEqual(body);
  const details = { jobId: "7", type: "hidden by the type" };
  const full = new AppError("DUPLICATE", { fields: { title: ["Taken."] }, details });
  expect(failureBody(full, "mine")).toStrictEqual({ ...body, jobId: "7", fields: { title: ["Taken."] } });
});

it("names the invalid fields, or says what is wrong with the whole value", () => {
  const schema = z.object({ title: z.string("Give it a title") });
  const errorOf = (value: unknown, of: z.ZodType = schema) => {
    const { error } = of.safeParse(value);
    if (!error) throw new Error("valid");
    return validationError(error);
  };
  expect(errorOf({})).toMatchObject({ type: "VALIDATION_ERROR", fields: { title: ["Give it a title"] } });
  const whole = schema.refine(() => false, "Change something first");
  expect(errorOf({ title: "x" }, whole).message).toBe("Change something first");
});
